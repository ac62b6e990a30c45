using Mux.Protocol;
using Mux.Runtime;

namespace Mux.Engine;

/// <summary>
/// Frames that the turn has made and not handed to the outgoing queue yet: replies of handlers, and requests of the code after calls. They are written without
/// the connection's lock, into one block, which goes to the queue when the turn ends or the block is full.
/// </summary>
/// <remarks>
/// Owned by the turn, except where stated. The block may hold replies and requests at once, where a side calls back the peer that it serves: each call knows
/// the offset of its own request, and replies need nothing when the block is appended or dropped.
/// </remarks>
internal sealed class TurnOutput(Session session)
{
    private readonly OutboundQueue _outbound = session.Outbound;
    private OutboundBlock? _block;
    private ITurnRequests? _requests; // null if there are none in the block

    /// <summary>True if there are such frames. Any thread.</summary>
    public bool IsPending => Volatile.Read(ref _block) is not null;

    /// <summary>The block; null if nothing was made yet, or if the connection has ended since.</summary>
    public OutboundBlock? Block => _block;

    /// <summary>Gets a block with at least <paramref name="least"/> bytes free. A fuller one is sent.</summary>
    public OutboundBlock Get(int least)
    {
        if (_block is { } full && full.FreeLength < least) Flush();
        return _block ??= OutboundBlock.Rent(OutboundBlock.Size);
    }

    /// <summary>Gets the block, or a new one. Null if fewer than <paramref name="size"/> bytes are free.</summary>
    public OutboundBlock? TryGet(int size)
    {
        var block = _block ??= OutboundBlock.Rent(OutboundBlock.Size);
        return block.FreeLength >= size ? block : null;
    }

    /// <summary>Gets a block for a frame that does not fit into this one, which is sent.</summary>
    public OutboundBlock Replace(int size)
    {
        if (_block!.UnsentLength > 0) Flush();
        else _block.Return();
        return _block = OutboundBlock.Rent(size);
    }

    /// <summary>Notes that a request was written into the block.</summary>
    public void OnRequest(ITurnRequests requests)
    {
        if (_requests is null) _requests = requests; // there is one for each connection
    }

    /// <summary>Hands the frames to the outgoing queue. The caller owns the turn, and flushes.</summary>
    public void EndLocked(ref Aftermath aftermath)
    {
        session.AssertLocked();
        if (_block is not { } block) return;
        var requests = _requests;
        (_block, _requests) = (null, null);
        if (block.UnsentLength > 0 && session.State == ConnectionState.Open)
        {
            long position = _outbound.PositionLocked;
            _outbound.AppendLocked(block);
            requests?.OnAppendedLocked(position);
        }
        else
        {
            requests?.WithdrawLocked(block, ref aftermath);
            block.Return();
        }
    }

    private void Flush()
    {
        var aftermath = default(Aftermath);
        using (EngineThread.Enter(session.Gate))
        {
            EndLocked(ref aftermath);
            aftermath.Batch = _outbound.TryBeginLocked();
        }

        session.Complete(ref aftermath);
    }
}

/// <summary>The requests among the frames of a <see cref="TurnOutput"/>.</summary>
internal interface ITurnRequests
{
    /// <summary>Their block is in the outgoing queue, and begins at this position of the byte stream.</summary>
    void OnAppendedLocked(long position);

    /// <summary>Their block is dropped: the connection has ended. Calls that are still open go back to the owner.</summary>
    void WithdrawLocked(OutboundBlock block, ref Aftermath aftermath);
}
