using Mux.Buffers;

namespace Mux.Lanes;

/// <summary>
/// The calls of one connection that have more to send than goes with the messages. They take turns by deficit round robin (Shreedhar and Varghese, 1996): each has a quantum by its
/// priority and may overdraw it by one frame, which it pays back in its next turns. Guarded by the connection's lock.
/// </summary>
/// <param name="limit">Bytes that wait above which nobody should add more.</param>
internal sealed class BulkLane(long limit)
{
    /// <summary>What a stream adds before it looks for room again, unless one item is more: what a fragment of a large message takes.</summary>
    public const int Portion = 32 * 1024;

    private readonly Queue<OutboundFlow> _flows = new(); // the one whose turn it is first
    private readonly Queue<OutboundFlow> _waiters = new(); // for room, in order
    private int _admitted; // waiters that were told of room and have not gone on yet
    private long _unsent;
    private bool _isFirstServed; // it has its quantum and is not through with it
    private bool _isClosed;

    /// <summary>Bytes of large messages that the peer takes; below 0 by at most one fragment.</summary>
    public long Credit { get; private set; }

    /// <summary>Whether nothing waits. A call whose bytes were dropped may stand in the lane still.</summary>
    public bool IsEmpty => _unsent == 0;

    /// <summary>Whether large messages wait for the peer to take more.</summary>
    public bool AwaitsCredit
    {
        get
        {
            if (Credit > 0 || _unsent == 0) return false;
            foreach (var flow in _flows)
            {
                if (flow.AwaitsCredit) return true;
            }

            return false;
        }
    }

    /// <summary>Whether <see cref="Take"/> would find something.</summary>
    public bool HasWork
    {
        get
        {
            foreach (var flow in _flows)
            {
                if (flow.IsReady(Credit)) return true;
            }

            return false;
        }
    }

    /// <summary>Where what waits is accounted for; null where that is not limited. Set before anything is added.</summary>
    public IHeldMemory? Memory { get; set; }

    /// <summary>Bytes that wait, of all calls. May be read without the lock.</summary>
    public long Unsent => Volatile.Read(ref _unsent);

    /// <summary>Whether a stream should add more. Replies do even when not: they are bounded by the calls that are open.</summary>
    public bool HasRoom => Volatile.Read(ref _unsent) < limit && Memory is not { IsShort: true };

    /// <summary>Calls <see cref="OutboundFlow.OnRoom"/> when it is this flow's turn to add more.</summary>
    public void AwaitRoom(OutboundFlow flow) => _waiters.Enqueue(flow);

    /// <summary>
    /// A flow that took <see cref="OutboundFlow.OnRoom"/> goes on. Whether it adds anything then is up to its producer, who may take long or fail, and nobody waits for that: if it does
    /// not, the room is the next one's.
    /// </summary>
    public void OnAdmitted()
    {
        _admitted--;
        AdmitWaiters();
    }

    /// <summary>The peer takes more.</summary>
    public void AddCredit(long bytes) => Credit += bytes;

    public void Add(OutboundFlow flow, OutboundBlock block)
    {
        if (_isClosed)
        {
            block.Return();
            return;
        }

        long held = flow.Held;
        _unsent += block.UnsentLength;
        flow.Add(block);
        Account(flow.Held - held);
        Activate(flow);
    }

    public void Add(OutboundFlow flow, BulkMessage message)
    {
        if (_isClosed)
        {
            message.LetGo();
            return;
        }

        _unsent += message.Left;
        flow.Add(message);
        Account(message.Capacity);
        Activate(flow);
    }

    /// <summary>Takes blocks until they are <paramref name="batch"/> bytes or more, linked by <see cref="OutboundBlock.Next"/>.</summary>
    public OutboundBlock? Take(int batch)
    {
        OutboundBlock? first = null, last = null;
        int taken = 0;
        int inVain = 0; // flows in a row from which nothing can be taken
        while (taken < batch && inVain < _flows.Count)
        {
            var flow = _flows.Peek();
            if (flow.AwaitsSender) break; // its turn goes on when the sender is back: a fragment at a time, it would never have more than its neighbours
            if (!flow.IsReady(Credit))
            {
                if (flow.IsEmpty) Leave(flow);
                else PassOn(ref inVain);
                continue;
            }

            inVain = 0;
            if (!_isFirstServed) flow.Deficit += flow.Quantum;
            _isFirstServed = true;
            while (taken < batch && flow.Deficit > 0 && flow.IsReady(Credit))
            {
                long before = flow.Unsent, held = flow.Held;
                var block = flow.Take(out int charged);
                _unsent -= before - flow.Unsent;
                Account(flow.Held - held);
                Credit -= charged;
                flow.Deficit -= block.UnsentLength;
                taken += block.UnsentLength;
                if (last is null) first = block;
                else last.Next = block;
                last = block;
            }

            if (flow.IsEmpty) Leave(flow);
            else if (flow.Deficit <= 0) Rotate();
        }

        AdmitWaiters();
        return first;
    }

    /// <summary>Drops what a call has not sent yet.</summary>
    public void Drop(OutboundFlow flow)
    {
        _unsent -= flow.Unsent;
        Clear(flow); // it leaves the lane when its turn comes
        AdmitWaiters();
    }

    /// <summary>Drops everything, and what is added from now on.</summary>
    public void Close()
    {
        _isClosed = true;
        while (_flows.TryDequeue(out var flow)) Clear(flow);
        _unsent = 0;
    }

    private void Clear(OutboundFlow flow)
    {
        Account(-flow.Held);
        flow.Clear();
    }

    private void Account(long held)
    {
        if (held > 0) Memory?.Take(held);
        else if (held < 0) Memory?.Release(-held);
    }

    /// <summary>As many as the room is for: each that went on before it could add would find no room, or make the lane longer than it may be by a portion.</summary>
    private void AdmitWaiters()
    {
        while (_unsent + ((long)_admitted * Portion) < limit && _waiters.TryDequeue(out var waiter))
        {
            if (waiter.OnRoom()) _admitted++;
        }
    }

    private void Activate(OutboundFlow flow)
    {
        if (flow.IsActive) return;
        flow.IsActive = true;
        _flows.Enqueue(flow);
    }

    private void Leave(OutboundFlow flow)
    {
        flow.IsActive = false;
        flow.Deficit = 0; // nothing is saved up while there is nothing to send
        _isFirstServed = false;
        _flows.Dequeue();
    }

    private void PassOn(ref int inVain)
    {
        inVain++;
        _flows.Peek().Deficit = Math.Min(_flows.Peek().Deficit, 0); // nothing is saved up
        Rotate();
    }

    private void Rotate()
    {
        _isFirstServed = false;
        _flows.Enqueue(_flows.Dequeue());
    }
}
