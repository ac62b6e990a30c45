using System.Diagnostics;

namespace Mux.Protocol;

/// <summary>
/// The unsent bytes of one connection, in order: whole frames only, appended under the connection's lock and taken by one sender at a time. Knows how much is
/// unsent, so that producers can be held back. Knows which bytes the link accepted, so that a lost connection can tell which calls it never sent.
/// </summary>
/// <remarks>
/// <para>Bytes appended here overtake everything in the <see cref="BulkLane"/>. Each batch takes a part of the lane when it is made; from then on those bytes
/// are in the stream and count here.</para>
/// Every member ends in Locked: the connection's lock is held. States of the sender: Idle -> Sending -> {Idle, Blocked}; Blocked -> Sending; any -> Closed.
/// </remarks>
internal sealed class OutboundQueue(Lock gate, long unsentLimit, long bulkLimit)
{
    /// <summary>Small replies of a turn are copied into the last queued block: a copy of 4 KiB costs 0.1 us, another send 3 us.</summary>
    private const int CopyLimit = 4 * 1024;

    /// <summary>Streams write among the messages while at most this much is unsent. So all of them together put at most this much before a message.</summary>
    private const int StreamLimit = 16 * 1024;

    private OutboundBlock? _first;
    private OutboundBlock? _last;
    private SenderState _state;
    private bool _writableSeen;
    private readonly BulkLane _bulk = new(bulkLimit);
    private long _appended;
    private long _taken;
    private int _refusedBulk; // bytes of the lane among those that were put back, until the next batch
    private long _accepted;

    private enum SenderState
    {
        Idle,
        Sending,
        Blocked,
        Closed,
    }

    /// <summary>
    /// Bytes that a batch takes of the bulk lane: how long a small message may wait in addition to what the link holds. Two fragments, which one send of 10 us
    /// carries.
    /// </summary>
    public const int BulkPerBatch = 64 * 1024;

    /// <summary>Large messages and streams of the connection.</summary>
    public BulkLane BulkLocked => _bulk;

    /// <summary>Position in the byte stream of the next byte appended.</summary>
    public long PositionLocked => _appended;

    /// <summary>All bytes before this position were accepted by the link.</summary>
    public long AcceptedLocked => _accepted;

    /// <summary>
    /// No byte from this position on was handed to the link. A sender has the bytes between <see cref="AcceptedLocked"/> and here: it may have handed them over
    /// and not reported yet.
    /// </summary>
    public long OfferedLocked => _state == SenderState.Sending ? _taken : _accepted;

    public long UnsentLocked => _appended - _accepted + _bulk.Unsent;

    /// <summary>True if unsent bytes are below the limit. Frames of open calls are appended even if not: the number of open calls bounds them.</summary>
    public bool HasRoomLocked => _appended - _accepted < unsentLimit && _bulk.HasRoom;

    /// <summary>Reads <see cref="HasRoomLocked"/> without the lock; changes in progress may be missing.</summary>
    public bool HasRoom => Volatile.Read(ref _appended) - Volatile.Read(ref _accepted) < unsentLimit && _bulk.HasRoom;

    /// <summary>True if a stream should add more. Read without the lock: what others add meanwhile may exceed the limit.</summary>
    public bool BulkHasRoom => _bulk.HasRoom;

    public long Unsent => Volatile.Read(ref _appended) - Volatile.Read(ref _accepted) + _bulk.Unsent;

    /// <summary>True if the link refused bytes and has not reported yet that it accepts more.</summary>
    public bool IsBlockedLocked => _state == SenderState.Blocked;

    /// <summary>True if there is little to send and no sender: then a send costs more than the bytes.</summary>
    public bool HasLittleToSendLocked => _state == SenderState.Idle && _appended - _accepted <= CopyLimit && !_bulk.HasWork;

    /// <summary>True if all appended bytes were accepted.</summary>
    public bool IsEmptyLocked => _appended == _accepted && _bulk.IsEmpty;

    /// <summary>True if a few bytes of a stream may go with the messages: it has nothing in the bulk lane, and the queue is short.</summary>
    public bool TakesStreamLocked(OutboundFlow flow, int length)
    {
        Debug.Assert(gate.IsHeldByCurrentThread);
        return flow.IsEmpty && length <= CopyLimit && _appended - _accepted <= StreamLimit;
    }

    /// <summary>Reserves contiguous memory for a frame of at most <paramref name="size"/> bytes.</summary>
    public Span<byte> ReserveLocked(int size)
    {
        Debug.Assert(gate.IsHeldByCurrentThread);
        if (_last is null || _last.FreeLength < size) Add(OutboundBlock.Rent(size));
        return _last!.Free;
    }

    /// <summary>Appends a whole frame of <paramref name="size"/> bytes that was written to the start of the reserved memory.</summary>
    public void CommitLocked(int size)
    {
        Debug.Assert(gate.IsHeldByCurrentThread);
        _last!.Commit(size);
        _appended += size;
    }

    /// <summary>Wipes the block of the last <see cref="ReserveLocked"/> after it is sent.</summary>
    public void SetSecretLocked()
    {
        Debug.Assert(gate.IsHeldByCurrentThread);
        _last!.SetSecret();
    }

    /// <summary>Appends a copy of whole frames.</summary>
    public void CopyLocked(ReadOnlySpan<byte> frames)
    {
        Debug.Assert(gate.IsHeldByCurrentThread);
        frames.CopyTo(ReserveLocked(frames.Length));
        CommitLocked(frames.Length);
    }

    /// <summary>Appends a block of whole frames, which the queue owns from now on.</summary>
    public void AppendLocked(OutboundBlock block)
    {
        Debug.Assert(gate.IsHeldByCurrentThread);
        int length = block.UnsentLength;
        if (_state == SenderState.Closed)
        {
            block.Return();
            return;
        }

        // While the link is blocked, saving a copy gains nothing, and every linked block would hold a whole array for a few bytes. Copies keep the memory in
        // proportion to the unsent bytes, which the limit counts.
        if (_last is not null && length <= _last.FreeLength && (length <= CopyLimit || _state == SenderState.Blocked))
        {
            block.Unsent.CopyTo(_last.Free);
            _last.Commit(length);
            block.Return();
        }
        else
        {
            Add(block);
        }

        _appended += length;
    }

    /// <summary>Reads a frame that was not handed to the link.</summary>
    /// <param name="position">Position of its first byte: <see cref="OfferedLocked"/> or later.</param>
    /// <returns>The frame, and what follows it in its block; empty if these bytes are gone. Valid until the lock is released.</returns>
    public ReadOnlySpan<byte> PeekLocked(long position)
    {
        Debug.Assert(gate.IsHeldByCurrentThread);
        long start = OfferedLocked; // what a sender has is in no block here
        for (var block = _first; block is not null && start <= position; block = block.Next)
        {
            int length = block.UnsentLength;
            if (position < start + length) return block.Unsent[(int)(position - start)..];
            start += length;
        }

        return [];
    }

    /// <summary>Makes the caller the sender, if there is something to send and no sender.</summary>
    /// <returns>The blocks to send, which the sender owns until <see cref="EndRoundLocked"/>; or null.</returns>
    public OutboundBlock? TryBeginLocked()
    {
        Debug.Assert(gate.IsHeldByCurrentThread);
        if (_state != SenderState.Idle || TakeAll() is not { } batch) return null;
        _state = SenderState.Sending;
        return batch;
    }

    /// <summary>Takes the sender's report about its blocks.</summary>
    /// <param name="accepted">Bytes that the link accepted.</param>
    /// <param name="refused">The blocks from the first byte that it did not accept, or null.</param>
    /// <returns>The next blocks to send; or null if the caller is no longer the sender.</returns>
    public OutboundBlock? EndRoundLocked(long accepted, OutboundBlock? refused)
    {
        Debug.Assert(gate.IsHeldByCurrentThread);
        _accepted += accepted;
        if (refused is not null) PutBack(refused);
        if (_state == SenderState.Closed)
        {
            ReturnAll();
            return null;
        }

        Debug.Assert(_state == SenderState.Sending);
        if (refused is not null && !_writableSeen)
        {
            _state = SenderState.Blocked;
            return null;
        }

        _writableSeen = false;
        if (TakeAll() is { } next) return next;
        _state = SenderState.Idle;
        return null;
    }

    /// <summary>The link accepts bytes again.</summary>
    /// <returns>True if the caller should flush.</returns>
    public bool OnWritableLocked()
    {
        Debug.Assert(gate.IsHeldByCurrentThread);
        if (_state == SenderState.Sending)
        {
            _writableSeen = true; // the link was faster than the sender, which has not reported the refusal yet
            return false;
        }

        if (_state != SenderState.Blocked) return false;
        _state = SenderState.Idle;
        return true;
    }

    /// <summary>Drops unsent bytes and refuses further work. Blocks of a sender are dropped when it reports.</summary>
    public void CloseLocked()
    {
        Debug.Assert(gate.IsHeldByCurrentThread);
        bool sending = _state == SenderState.Sending;
        _state = SenderState.Closed;
        if (!sending) ReturnAll();
    }

    private void Add(OutboundBlock block)
    {
        if (_last is null) _first = block;
        else _last.Next = block;
        _last = block;
    }

    private OutboundBlock? TakeAll()
    {
        // What the link has refused of the lane is still before the messages: a slow link must not get the whole lane batch by batch.
        var taken = _bulk.Take(Math.Max(0, BulkPerBatch - _refusedBulk));
        _refusedBulk = 0;
        for (var block = taken; block is not null;)
        {
            var next = block.Next;
            block.Next = null;
            block.IsBulk = true;
            _appended += block.UnsentLength;
            Add(block);
            block = next;
        }

        var all = _first;
        _first = _last = null;
        _taken = _appended;
        return all;
    }

    private void PutBack(OutboundBlock refused)
    {
        var last = refused;
        for (var block = refused; block is not null; block = block.Next)
        {
            last = block;
            if (block.IsBulk) _refusedBulk += block.UnsentLength;
        }

        last.Next = _first;
        _first = refused;
        _last ??= last;
    }

    private void ReturnAll()
    {
        _bulk.Close();
        for (var block = TakeAll(); block is not null;) block = block.Return();
    }
}

/// <summary>Queues what one call sends through the bulk lane: blocks of whole frames, and large messages. Guarded by the connection's lock.</summary>
internal class OutboundFlow(MuxCallPriority priority)
{
    /// <summary>Bytes that a call of normal priority sends in one turn: one fragment.</summary>
    private const int NormalQuantum = 32 * 1024;

    private const int CopyLimit = 4 * 1024;

    private const int ShortRest = 1024;

    private readonly Queue<Entry> _entries = new();
    private OutboundBlock? _last; // null if the last entry is no block

    /// <summary>Bytes left of its turn. Negative if a frame was larger than what was left.</summary>
    public int Deficit { get; set; }

    public int Quantum { get; } = priority switch
    {
        MuxCallPriority.High => 4 * NormalQuantum,
        MuxCallPriority.Low => NormalQuantum / 4,
        _ => NormalQuantum,
    };

    /// <summary>
    /// The large request of the call; null if it has none, or if nothing would send it again. Not a holder of its array: that is valid only while a part of the
    /// request is unsent.
    /// </summary>
    public BulkMessage? Request { get; set; }

    /// <summary>True if the request of the call took several frames.</summary>
    public bool IsOfLargeRequest { get; set; }

    /// <summary>Bytes that the peer takes for the message that was, or is to be, announced to it; 0 if there is none. See
    /// <see cref="AnnouncedMessages"/>.</summary>
    public long Announced { get; set; }

    /// <summary>True if it waits until its message may be announced.</summary>
    public bool IsHeld { get; set; }

    /// <summary>True if it is in the lane.</summary>
    public bool IsActive { get; set; }

    public bool IsEmpty => _entries.Count == 0;

    /// <summary>Bytes that were not handed to the sender.</summary>
    public long Unsent { get; private set; }

    /// <summary>Total length of the arrays that hold them. An array counts until its last byte is handed to the sender.</summary>
    public long Held { get; private set; }

    /// <summary>True if something can be taken now.</summary>
    /// <param name="bulkCredit">The peer's bulk credit.</param>
    public bool IsReady(long bulkCredit) =>
        _entries.TryPeek(out var entry) && (entry.Message is not { IsCharged: true } || bulkCredit > 0);

    /// <summary>
    /// True if its next bytes are the last ones of a message, and so few that they leave with the fragment before them: 64 KiB of data with what encodes them
    /// are two fragments and a few bytes, which would cost a send and a receive of their own.
    /// </summary>
    public bool HasShortRest => _entries.TryPeek(out var entry) && entry.Message is { IsBegun: true, Left: <= ShortRest };

    /// <summary>True if its next bytes need bulk credit.</summary>
    public bool AwaitsCredit => _entries.TryPeek(out var entry) && entry.Message is { IsCharged: true };

    public void Add(OutboundBlock block)
    {
        Unsent += block.UnsentLength;

        // While the link is blocked, many small blocks may come, and each would hold a whole array for a few bytes.
        if (_last is { } last && block.UnsentLength <= Math.Min(CopyLimit, last.FreeLength))
        {
            block.Unsent.CopyTo(last.Free);
            last.Commit(block.UnsentLength);
            block.Return();
            return;
        }

        _last = block;
        Held += block.Capacity;
        _entries.Enqueue(new Entry(block, null));
    }

    public void Add(BulkMessage message)
    {
        _last = null;
        Unsent += message.Left;
        Held += message.Capacity;
        _entries.Enqueue(new Entry(null, message));
    }

    /// <summary>Takes the next block. <see cref="IsReady"/> must be true.</summary>
    /// <param name="charged">Bytes to charge to the bulk credit.</param>
    public OutboundBlock Take(out int charged)
    {
        var (block, message) = _entries.Peek();
        charged = 0;
        if (message is null)
        {
            _entries.Dequeue();
            if (block == _last) _last = null;
            Unsent -= block!.UnsentLength;
            Held -= block.Capacity;
            return block;
        }

        int before = message.Left;
        block = message.TakeFragment();
        int taken = before - message.Left;
        Unsent -= taken;
        if (message.IsCharged) charged = taken;
        if (message.Left > 0) return block;
        _entries.Dequeue();
        Held -= message.Capacity;
        message.LetGo();
        return block;
    }

    /// <summary>Admits the flow, which waited by <see cref="BulkLane.AwaitRoom"/>: the lane has room.</summary>
    /// <returns>True if it continues, which it reports by <see cref="BulkLane.OnAdmitted"/>; otherwise the room is free for another flow.</returns>
    public virtual bool OnRoom() => false;

    /// <summary>Drops what was not handed to the sender.</summary>
    public void Clear()
    {
        while (_entries.TryDequeue(out var entry))
        {
            entry.Block?.Return();
            entry.Message?.LetGo();
        }

        Unsent = 0;
        Held = 0;
        _last = null;
    }

    private readonly record struct Entry(OutboundBlock? Block, BulkMessage? Message);
}
