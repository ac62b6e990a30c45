using System.Buffers;
using System.IO.Pipelines;
using System.Net.Sockets;

namespace Mux.Transports.Streams;

/// <summary>Sends to a <see cref="PipeWriter"/>. Its pause threshold is what makes a flush wait, and with it the link.</summary>
internal sealed class PipeOutput(PipeWriter writer) : ByteOutput
{
    private PendingResult<FlushResult> _flush;

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

    public override void Shutdown() => writer.Complete();

    public override void Cancel() => writer.CancelPendingFlush();

    public override void Release()
    {
        try
        {
            writer.Complete();
        }
        catch (Exception)
        {
            // It cannot end in order. The link is over.
        }
    }
}
