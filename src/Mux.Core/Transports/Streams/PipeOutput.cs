using System.Buffers;
using System.IO.Pipelines;
using System.Net.Sockets;

namespace Mux.Transports.Streams;

/// <summary>Sends to a <see cref="PipeWriter"/>. Its pause threshold is what makes a flush wait, and with it the link.</summary>
internal sealed class PipeOutput(PipeWriter writer) : ByteOutput
{
    private PendingResult<FlushResult> _flush;
    private volatile bool _isCut; // a flush was given up, and the writer may still hold its bytes

    public override bool CanShutdown => true;

    public override int Begin(ReadOnlySpan<byte> bytes)
    {
        int count = Math.Min(bytes.Length, LargestWrite);
        writer.Write(bytes[..count]);
        _flush.Begin(writer.FlushAsync());
        return count;
    }

    public override void OnCompleted(Action continuation) => _flush.OnCompleted(continuation);

    public override bool TryEnd()
    {
        if (!_flush.IsCompleted) return false;
        if (_flush.End().IsCompleted) throw new SocketException((int)SocketError.Shutdown); // what a socket says of a peer that does not read any more
        return true;
    }

    public override void Shutdown() => Complete();

    public override void Cancel()
    {
        _isCut = true;
        StreamFailure.Attempt(writer.CancelPendingFlush); // once completed, a writer has no pending flush to cancel
    }

    public override void Release() => StreamFailure.Attempt(Complete);

    /// <summary>Without an error, a writer upon a stream would write what it holds, and block this thread for as long as the peer reads nothing.</summary>
    private void Complete() => writer.Complete(_isCut ? new IOException("The connection was given up before all was sent.") : null);
}
