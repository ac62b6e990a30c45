using System.Diagnostics;

namespace Mux.Lanes;

/// <summary>
/// The bytes of one connection that wait to be sent, in order: whole frames only, appended under the connection's lock and taken by one sender at a time.
/// Knows how much is unsent, so that whoever appends can be held back, and which bytes the link accepted, so that a lost connection can tell which calls
/// it never sent.
/// </summary>
/// <remarks>
/// <para>What is appended here passes everything in the <see cref="BulkLane"/>, of which each batch takes a little when it is made: those bytes stand in the
/// stream, and count here, from then on.</para>
/// Every member ends in Locked: the connection's lock is held. States of the sender: Idle -> Sending -> {Idle, Blocked}; Blocked -> Sending; any -> Closed.
/// </remarks>
internal sealed class OutboundQueue(Lock gate, long unsentLimit, long bulkLimit)
{
    /// <summary>
    /// A turn's replies are copied behind what is queued already, if they are small: a copy of 4 KiB costs 0.1 us, one more send 3 us.
    /// </summary>
    private const int CopyLimit = 4 * 1024;

    /// <summary>Streams write among the messages while no more than this is unsent; so many of them together put no more than this before a message.</summary>
    private const int StreamLimit = 16 * 1024;

    private OutboundBlock? _first;
    private OutboundBlock? _last;
    private SenderState _state;
    private bool _writableSeen;
    private readonly BulkLane _bulk = new(bulkLimit);
    private long _appended;
    private long _taken;
    private long _accepted;

    private enum SenderState
    {
        Idle,
        Sending,
        Blocked,
        Closed,
    }

    /// <summary>
    /// What a batch takes of the bulk lane: how far a small message may be behind, beside what the link holds. Two fragments, which a send of 10 us carries.
    /// </summary>
    public const int BulkPerBatch = 64 * 1024;

    /// <summary>The large messages and streams of the connection.</summary>
    public BulkLane BulkLocked => _bulk;

    /// <summary>Position in the byte stream of the next byte appended.</summary>
    public long PositionLocked => _appended;

    /// <summary>Every byte before this position was handed to the link.</summary>
    public long AcceptedLocked => _accepted;

    /// <summary>
    /// No byte from this position on was handed to the link. Those between <see cref="AcceptedLocked"/> and here are in a sender's hands: it may have handed
    /// them over and not reported yet.
    /// </summary>
    public long OfferedLocked => _state == SenderState.Sending ? _taken : _accepted;

    public long UnsentLocked => _appended - _accepted + _bulk.Unsent;

    /// <summary>
    /// Whether unsent bytes are below the limit. Frames of calls that are open already are appended even when not; they are bounded by the number of open
    /// calls.
    /// </summary>
    public bool HasRoomLocked => _appended - _accepted < unsentLimit && _bulk.HasRoom;

    /// <summary>The same for somebody without the lock: right up to what is under way.</summary>
    public bool HasRoom => Volatile.Read(ref _appended) - Volatile.Read(ref _accepted) < unsentLimit && _bulk.HasRoom;

    /// <summary>Whether a stream should add more, for somebody without the lock: what others are adding meanwhile may go beyond.</summary>
    public bool BulkHasRoom => _bulk.HasRoom;

    public long Unsent => Volatile.Read(ref _appended) - Volatile.Read(ref _accepted) + _bulk.Unsent;

    /// <summary>Whether the link refused bytes and has not said yet that it takes more.</summary>
    public bool IsBlockedLocked => _state == SenderState.Blocked;

    /// <summary>Whether somebody has to send, and it is little: then a send costs more than the bytes.</summary>
    public bool HasLittleToSendLocked => _state == SenderState.Idle && _appended - _accepted <= CopyLimit && !_bulk.HasWork;

    /// <summary>Whether everything appended was accepted.</summary>
    public bool IsEmptyLocked => _appended == _accepted && _bulk.IsEmpty;

    /// <summary>Whether a few bytes of a stream may go with the messages: it has nothing in the bulk lane, and is not far ahead of the link.</summary>
    public bool TakesStreamLocked(OutboundFlow flow, int length) => flow.IsEmpty && length <= CopyLimit && _appended - _accepted <= StreamLimit;

    /// <summary>Memory for a frame of at most <paramref name="size"/> bytes, in one piece.</summary>
    public Span<byte> ReserveLocked(int size)
    {
        Debug.Assert(gate.IsHeldByCurrentThread);
        if (_last is null || _last.FreeLength < size) Add(OutboundBlock.Rent(size));
        return _last!.Free;
    }

    /// <summary>Says that a whole frame of <paramref name="size"/> bytes was written to the start of the reserved memory.</summary>
    public void CommitLocked(int size)
    {
        Debug.Assert(gate.IsHeldByCurrentThread);
        _last!.Commit(size);
        _appended += size;
    }

    /// <summary>Has what is appended to the block of the last <see cref="ReserveLocked"/> wiped once it is sent.</summary>
    public void SetSecretLocked() => _last!.SetSecret();

    /// <summary>Appends a copy of whole frames.</summary>
    public void CopyLocked(ReadOnlySpan<byte> frames)
    {
        frames.CopyTo(ReserveLocked(frames.Length));
        CommitLocked(frames.Length);
    }

    /// <summary>Appends a block of whole frames, which is the queue's from now on.</summary>
    public void AppendLocked(OutboundBlock block)
    {
        Debug.Assert(gate.IsHeldByCurrentThread);
        int length = block.UnsentLength;
        if (_state == SenderState.Closed)
        {
            block.Return();
            return;
        }

        // While the link refuses, nothing is gained by saving a copy, and every block that is linked would hold its whole array for the little that it carries:
        // what is held stays in proportion to what is unsent, which is what the limit counts.
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

    /// <summary>Makes the caller the sender, if there is something to send and nobody sends.</summary>
    /// <returns>The blocks to send, the sender's until <see cref="EndRoundLocked"/>; or null.</returns>
    public OutboundBlock? TryBeginLocked()
    {
        Debug.Assert(gate.IsHeldByCurrentThread);
        if (_state != SenderState.Idle || TakeAll() is not { } batch) return null;
        _state = SenderState.Sending;
        return batch;
    }

    /// <summary>The sender reports what became of its blocks.</summary>
    /// <param name="accepted">Bytes the link accepted.</param>
    /// <param name="refused">The blocks from the first byte it did not accept, or null.</param>
    /// <returns>The next blocks to send; or null, and the caller is no longer the sender.</returns>
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

    /// <summary>The link takes bytes again.</summary>
    /// <returns>Whether the caller should flush.</returns>
    public bool OnWritableLocked()
    {
        Debug.Assert(gate.IsHeldByCurrentThread);
        if (_state == SenderState.Sending)
        {
            _writableSeen = true; // the link was quicker than the sender, which has not reported its refusal yet
            return false;
        }

        if (_state != SenderState.Blocked) return false;
        _state = SenderState.Idle;
        return true;
    }

    /// <summary>Drops what is unsent and refuses further work. Blocks in a sender's hands follow when it reports.</summary>
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
        for (var block = _bulk.Take(BulkPerBatch); block is not null;)
        {
            var next = block.Next;
            block.Next = null;
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
        while (last.Next is not null) last = last.Next;
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
