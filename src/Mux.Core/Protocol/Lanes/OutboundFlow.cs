namespace Mux.Protocol;

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
