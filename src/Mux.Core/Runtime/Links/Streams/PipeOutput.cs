using System.Buffers;
using System.IO.Pipelines;
using System.Net.Sockets;

namespace Mux.Runtime;

/// <summary>Sends to a <see cref="PipeWriter"/>. The writer's pause threshold makes a flush wait, and so the link.</summary>
internal sealed class PipeOutput(PipeWriter writer) : ByteOutput
{
    private PendingResult<FlushResult> _flush;
    private volatile bool _isCut; // a flush was cancelled, and the writer may still hold its bytes

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
        if (_flush.End().IsCompleted) throw new SocketException((int)SocketError.Shutdown); // like a socket whose peer no longer reads
        return true;
    }

    public override void Shutdown() => Complete();

    public override void Cancel()
    {
        _isCut = true;
        StreamFailure.Attempt(writer.CancelPendingFlush); // a completed writer has no pending flush to cancel
    }

    public override void Release() => StreamFailure.Attempt(Complete);

    /// <summary>
    /// Completes with an error after a cancelled flush: otherwise a writer on a stream would write what it holds and block this thread while the peer does not
    /// read.
    /// </summary>
    private void Complete() => writer.Complete(_isCut ? new IOException("The connection was closed before all bytes were sent.") : null);
}
