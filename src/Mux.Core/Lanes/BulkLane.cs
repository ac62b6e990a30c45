using Mux.Buffers;

namespace Mux.Lanes;

/// <summary>
/// The calls of one connection that have more to send than goes with the messages. They take turns by deficit round robin (Shreedhar and Varghese, 1996): each
/// has a quantum by its priority and may overdraw it by one frame, which it pays back in its next turns. Guarded by the connection's lock.
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
    private volatile bool _isStopped;

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
    public bool HasRoom => Volatile.Read(ref _unsent) < limit && !_isStopped && Memory is not { IsShort: true };

    /// <summary>
    /// Whether flows wait for what the peers of others hold, of which nothing tells when it is given back: <see cref="Admit"/> has to be called now and then.
    /// </summary>
    public bool AwaitsMemory => _waiters.Count > 0 && Memory is { IsShort: true };

    /// <summary>
    /// What is sent reaches the peer no more, and the end of the connection is on its way. Streams have to wait for it: with a link that takes everything they
    /// would go on without a pause, as far as the credit goes that the peer has chosen, and keep the threads that bring the end from the lock.
    /// </summary>
    public void Stop() => _isStopped = true;

    /// <summary>Calls <see cref="OutboundFlow.OnRoom"/> when it is this flow's turn to add more.</summary>
    public void AwaitRoom(OutboundFlow flow) => _waiters.Enqueue(flow);

    /// <summary>
    /// A flow that took <see cref="OutboundFlow.OnRoom"/> goes on. Whether it adds anything then is up to its producer, who may take long or fail, and nobody
    /// waits for that: if it does not, the room is the next one's.
    /// </summary>
    public void OnAdmitted()
    {
        _admitted--;
        Admit();
    }

    /// <summary>
    /// Tells as many waiters of room as there is room for: each that went on before it could add would find none, or make the lane longer than it may be by a
    /// portion.
    /// </summary>
    public void Admit()
    {
        while (_unsent + ((long)_admitted * Portion) < limit && !_isStopped && _waiters.Count > 0 && Memory is not { IsShort: true })
        {
            if (_waiters.Dequeue().OnRoom()) _admitted++;
        }
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

        Admit();
        return first;
    }

    /// <summary>Drops what a call has not sent yet.</summary>
    public void Drop(OutboundFlow flow)
    {
        _unsent -= flow.Unsent;
        Clear(flow); // it leaves the lane when its turn comes
        Admit();
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
