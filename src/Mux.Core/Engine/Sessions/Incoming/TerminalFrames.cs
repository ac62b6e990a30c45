using Mux.Protocol;

namespace Mux.Engine;

/// <summary>Appends the frames that end the peer's calls, each after everything that its call has sent.</summary>
internal sealed class TerminalFrames(Session session)
{
    private readonly OutboundQueue _outbound = session.Outbound;

    /// <summary>Ends a call with a reply of one frame.</summary>
    /// <param name="id">Id of the call.</param>
    /// <param name="metadata">Metadata sent before the body.</param>
    /// <param name="metadataLength">Length of the metadata in bytes.</param>
    /// <param name="body">The reply; empty at the end of a stream.</param>
    /// <param name="stream">The response stream, which was not cut; null if the call has none.</param>
    public void ReplyLocked(CallId id, MuxMetadata? metadata, int metadataLength, ReadOnlySpan<byte> body, OutboundStream? stream)
    {
        session.AssertLocked();
        int length = FrameHeader.Size + metadataLength + body.Length;
        ResponseFrames.Write(ReserveLocked(length, stream, out var block), id, metadata, metadataLength, body);
        CommitLocked(length, stream, block);
    }

    /// <summary>
    /// Ends a call with a reply of more than one frame: the first announces its length, and fragments of the body follow from the message's own memory.
    /// </summary>
    /// <param name="id">Id of the call.</param>
    /// <param name="metadata">Metadata sent before the body.</param>
    /// <param name="metadataLength">Length of the metadata in bytes.</param>
    /// <param name="message">The reply.</param>
    /// <param name="flow">Sends the reply.</param>
    public void ReplyLargeLocked(CallId id, MuxMetadata? metadata, int metadataLength, BulkMessage message, OutboundFlow flow)
    {
        session.AssertLocked();
        int length = ResponseFrames.LengthOfFirst(metadataLength);
        bool isHeld = !_outbound.BulkLocked.MayAnnounce(message.Left);
        var block = isHeld ? OutboundBlock.Rent(length) : null;
        int written = ResponseFrames.WriteFirst(block is null ? _outbound.ReserveLocked(length) : block.Free, id, metadata, metadataLength, message.Left);
        message.Begin(FrameKind.Response, id, session.MaxFragment, isCharged: true);
        if (block is null)
        {
            _outbound.CommitLocked(written);
            _outbound.BulkLocked.Add(flow, message);
        }
        else
        {
            block.Commit(written);
            _outbound.BulkLocked.AddHeld(flow, block, message);
        }
    }

    /// <summary>Fails a call of which nothing is left to send.</summary>
    public void FailLocked(CallId id, MuxStatus status, MuxExecution execution, string text)
    {
        session.AssertLocked();
        _outbound.CommitLocked(FrameWriter.Fail(_outbound.ReserveLocked(FrameWriter.MaxFailFrame), id, new FailFrame((byte)status, execution, 0, text)));
    }

    /// <summary>Ends a call with a failure, its metadata and its detail.</summary>
    /// <returns>The parts that did not fit and were left out.</returns>
    public FailOmissions FailLocked(CallId id, FailFrame frame, FailExtras extras, OutboundStream? stream)
    {
        session.AssertLocked();
        var to = ReserveLocked(extras.IsEmpty ? FrameWriter.MaxFailFrame : FrameWriter.MaxFullFailFrame, stream, out var block);
        CommitLocked(FrameWriter.Fail(to, id, frame, extras, out var omitted), stream, block);
        return omitted;
    }

    /// <summary>Gets memory for a frame: in a separate block if frames of its call must be sent before it.</summary>
    private Span<byte> ReserveLocked(int size, OutboundStream? stream, out OutboundBlock? block)
    {
        session.AssertLocked();
        block = stream is { IsEmpty: false } ? OutboundBlock.Rent(size) : null;
        return block is null ? _outbound.ReserveLocked(size) : block.Free;
    }

    private void CommitLocked(int length, OutboundStream? stream, OutboundBlock? block)
    {
        session.AssertLocked();
        if (block is null)
        {
            _outbound.CommitLocked(length);
            return;
        }

        block.Commit(length);
        _outbound.BulkLocked.Add(stream!, block);
    }
}
