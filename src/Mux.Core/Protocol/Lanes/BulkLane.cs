using System.Numerics;
using Mux.Runtime;

namespace Mux.Protocol;

/// <summary>
/// Schedules the calls of one connection that have large messages or streams to send. They take turns by deficit round robin (Shreedhar and Varghese, 1996):
/// each has a quantum by its priority and may overdraw it by one frame, and a few last bytes of a message, which it pays back in its next turns. Guarded by
/// the connection's lock.
/// </summary>
/// <param name="limit">Waiting bytes above which streams must not add more.</param>
internal sealed class BulkLane(long limit)
{
    /// <summary>Most bytes that a stream adds before it checks for room again, unless one item is larger: the size of a fragment.</summary>
    public const int Portion = 32 * 1024;

    private SeldomQueue<OutboundFlow> _flows; // the flow that is served next is first
    private SeldomQueue<OutboundFlow> _waiters; // for room, in order
    private AnnouncedMessages _announced;
    private int _admitted; // waiters that were told of room and have not continued yet
    private long _unsent;
    private bool _isFirstServed; // the first flow has its quantum and has not used it up
    private bool _isClosed;
    private volatile bool _isStopped;

    /// <summary>Bytes of large messages that the peer accepts; at most one fragment below 0.</summary>
    public long Credit { get; private set; }

    /// <summary>True if nothing waits. A call may still be in the lane after its bytes were dropped.</summary>
    public bool IsEmpty => _unsent == 0;

    /// <summary>True if large messages wait for credit of the peer.</summary>
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

    /// <summary>True if <see cref="Take"/> would return something.</summary>
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

    /// <summary>Accounts for the memory of waiting bytes; null if that is not limited. Set before anything is added.</summary>
    public IHeldMemory? Memory { get; set; }

    /// <summary>Waiting bytes of all calls. May be read without the lock.</summary>
    public long Unsent => Volatile.Read(ref _unsent);

    /// <summary>True if a stream should add more. Replies are added even if not: the number of open calls bounds them.</summary>
    public bool HasRoom => Volatile.Read(ref _unsent) < limit && !_isStopped && Memory is not { IsShort: true };

    /// <summary>
    /// True if flows wait for room. Nothing reports that other connections release memory: <see cref="Admit"/> must be called now and then.
    /// </summary>
    public bool HasWaiters => _waiters.Count > 0;

    /// <summary>
    /// Stops admitting streams: what is sent no longer reaches the peer, and the end of the connection is on its way. With a link that accepts everything,
    /// streams would continue without a pause as far as the peer's credit goes, and keep the threads that bring the end from the lock.
    /// </summary>
    public void Stop() => _isStopped = true;

    /// <summary>Queues a flow. <see cref="OutboundFlow.OnRoom"/> is called when it may add more.</summary>
    public void AwaitRoom(OutboundFlow flow) => _waiters.Enqueue(flow);

    /// <summary>
    /// A flow that accepted <see cref="OutboundFlow.OnRoom"/> has continued. Its producer may add nothing, take long or fail, and other flows do not wait for
    /// that: the room is then free for the next one.
    /// </summary>
    public void OnAdmitted()
    {
        _admitted--;
        Admit();
    }

    /// <summary>Admits as many waiters as there is room for. More would find no room, or exceed the limit by a portion each.</summary>
    public void Admit()
    {
        while (_unsent + ((long)_admitted * Portion) < limit && !_isStopped && _waiters.Count > 0 && Memory is not { IsShort: true })
        {
            if (_waiters.Dequeue().OnRoom()) _admitted++;
        }
    }

    /// <summary>Handles bulk credit of the peer.</summary>
    public void AddCredit(long bytes) => Credit += bytes;

    /// <inheritdoc cref="AnnouncedMessages.SetLimit"/>
    public void SetLongestMessage(int maxMessage) => _announced.SetLimit(maxMessage);

    /// <inheritdoc cref="AnnouncedMessages.HasRoomFor"/>
    public bool MayAnnounce(int length) => _announced.HasRoomFor(length);

    /// <summary>Adds a message that may not be announced yet, with the frame that announces it.</summary>
    public void AddHeld(OutboundFlow flow, OutboundBlock first, BulkMessage message)
    {
        if (_isClosed)
        {
            first.Return();
            message.LetGo();
            return;
        }

        _unsent += first.UnsentLength + message.Left;
        Account(first.Capacity + message.Capacity);
        _announced.Hold(flow, message.Left);
        flow.IsActive = true;
        flow.Add(first);
        flow.Add(message);
        AdmitHeld(); // those before it may have been dropped
    }

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
        if (message.IsCharged) _announced.Take(flow, message.Left);
        flow.Add(message);
        Account(message.Capacity);
        Activate(flow);
    }

    /// <summary>Takes blocks of at least <paramref name="batch"/> bytes in total, if there are as many, linked by <see cref="OutboundBlock.Next"/>.</summary>
    public OutboundBlock? Take(int batch)
    {
        OutboundBlock? first = null, last = null;
        int taken = 0;
        int inVain = 0; // flows in a row that could give nothing
        while (taken < batch && inVain < _flows.Count)
        {
            var flow = _flows.Peek();
            if (!flow.IsReady(Credit))
            {
                if (flow.IsEmpty) Leave(flow);
                else PassOn(ref inVain);
                continue;
            }

            inVain = 0;
            if (!_isFirstServed) flow.Deficit += flow.Quantum;
            _isFirstServed = true;
            bool hasTaken = false; // of this flow, and now
            while (((taken < batch && flow.Deficit > 0) || (hasTaken && flow.HasShortRest)) && flow.IsReady(Credit))
            {
                hasTaken = true;
                long before = flow.Unsent, held = flow.Held;
                var block = flow.Take(out int charged);
                _unsent -= before - flow.Unsent;
                if (flow.Announced != 0 && !flow.AwaitsCredit) _announced.Release(flow);
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

        AdmitHeld();
        Admit();
        return first;
    }

    /// <summary>Drops what a call has not sent yet.</summary>
    public void Drop(OutboundFlow flow)
    {
        _unsent -= flow.Unsent;
        Clear(flow); // it leaves the lane in its next turn
        AdmitHeld();
        Admit();
    }

    /// <summary>Drops everything, also what is added from now on.</summary>
    public void Close()
    {
        _isClosed = true;
        while (_flows.TryDequeue(out var flow)) Clear(flow);
        while (_announced.TryTake(out var held)) Clear(held!);
        _unsent = 0;
    }

    private void AdmitHeld()
    {
        while (_announced.TryAdmit(out var flow))
        {
            if (flow!.IsEmpty) flow.IsActive = false; // it was dropped
            else _flows.Enqueue(flow);
        }
    }

    private void Clear(OutboundFlow flow)
    {
        _announced.Release(flow);
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
        flow.Deficit = 0; // nothing accumulates while there is nothing to send
        _isFirstServed = false;
        _flows.Dequeue();
    }

    private void PassOn(ref int inVain)
    {
        inVain++;
        _flows.Peek().Deficit = Math.Min(_flows.Peek().Deficit, 0); // nothing accumulates
        Rotate();
    }

    private void Rotate()
    {
        _isFirstServed = false;
        _flows.Enqueue(_flows.Dequeue());
    }
}

/// <summary>
/// Bounds the large messages that the peer knows of and has not got yet. A receiver takes memory for the whole length from the first frame on, so a sender that
/// announces all it has at once is refused for what it would have sent one after the other. The others are held, in order, until those before them have left.
/// A part of the bulk lane. Guarded by the connection's lock.
/// </summary>
internal struct AnnouncedMessages
{
    /// <summary>Longest message that does not wait for longer ones: it would be sent long before them.</summary>
    private const int Short = 256 * 1024;

    /// <summary>All short messages together may take one part of this many of what long ones may take.</summary>
    private const int ShortPart = 2;

    /// <summary>Most bytes of long messages, unless the peer accepts a longer one: a quarter of what a receiver accepts by default.</summary>
    private const long Most = 16 * 1024 * 1024;

    /// <summary>Number of the longest messages, if they are short.</summary>
    private const long MostMessages = 4;

    private long _limit;
    private long _long;
    private long _short;
    private SeldomQueue<OutboundFlow> _heldLong;
    private SeldomQueue<OutboundFlow> _heldShort;

    /// <summary>Applies the limit of the peer.</summary>
    /// <param name="maxMessage">The longest message that it accepts.</param>
    public void SetLimit(int maxMessage)
    {
        long longest = ReservedFor(maxMessage);
        _limit = Math.Max(longest, Math.Min(Most, MostMessages * longest));
    }

    /// <summary>True if a message of this length may be announced now. A single one always may.</summary>
    public readonly bool HasRoomFor(int length)
    {
        long reserved = ReservedFor(length);
        return (IsShort(reserved) ? _heldShort : _heldLong).Count == 0 && Fits(reserved);
    }

    /// <summary>Counts a message that is announced.</summary>
    public void Take(OutboundFlow flow, int length)
    {
        if (flow.Announced != 0) return; // one for each call
        flow.Announced = ReservedFor(length);
        Count(flow.Announced, 1);
    }

    /// <summary>Holds a flow, which begins with the frame that announces its message.</summary>
    public void Hold(OutboundFlow flow, int length)
    {
        flow.Announced = ReservedFor(length);
        flow.IsHeld = true;
        if (IsShort(flow.Announced)) _heldShort.Enqueue(flow);
        else _heldLong.Enqueue(flow);
    }

    /// <summary>The message of a flow has left, or is dropped.</summary>
    public void Release(OutboundFlow flow)
    {
        if (flow.Announced == 0 || flow.IsHeld) return; // one that is held is not counted, and leaves by its turn
        Count(flow.Announced, -1);
        flow.Announced = 0;
    }

    /// <summary>Takes out a flow that is held and may announce its message now.</summary>
    public bool TryAdmit(out OutboundFlow? flow) => TryAdmit(ref _heldShort, out flow) || TryAdmit(ref _heldLong, out flow);

    /// <summary>Takes out a flow that is held, whose message is dropped.</summary>
    public bool TryTake(out OutboundFlow? flow)
    {
        if (!_heldShort.TryDequeue(out flow) && !_heldLong.TryDequeue(out flow)) return false;
        (flow.IsHeld, flow.Announced) = (false, 0);
        return true;
    }

    private static bool IsShort(long reserved) => reserved <= Short;

    private static long ReservedFor(int length) => BitOperations.RoundUpToPowerOf2((uint)length);

    private readonly bool Fits(long reserved)
    {
        long used = IsShort(reserved) ? _short : _long;
        return used == 0 || _limit == 0 || used + reserved <= (IsShort(reserved) ? _limit / ShortPart : _limit);
    }

    private void Count(long reserved, int sign)
    {
        if (IsShort(reserved)) _short += sign * reserved;
        else _long += sign * reserved;
    }

    private bool TryAdmit(ref SeldomQueue<OutboundFlow> held, out OutboundFlow? flow)
    {
        flow = null;
        if (held.Count == 0) return false;
        var first = held.Peek();
        if (!first.IsEmpty && !Fits(first.Announced)) return false;
        flow = held.Dequeue();
        flow.IsHeld = false;
        if (flow.IsEmpty) flow.Announced = 0; // it was dropped
        else Count(flow.Announced, 1);
        return true;
    }
}
