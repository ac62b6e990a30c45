using Mux.Buffers;

namespace Mux.Transports.Streams;

/// <summary>Sends to a <see cref="Stream"/>: a copy, because a stream keeps what it writes until it is written, and a flush behind it.</summary>
/// <param name="stream">Where to.</param>
/// <param name="isOneWay">Whether nothing is received from it, so that its end is the end of one direction.</param>
/// <param name="shutdown">Ends the sending side of what it writes to in the end, or null if nobody can.</param>
internal sealed class StreamOutput(Stream stream, bool isOneWay, Action? shutdown) : ByteOutput
{
    private PendingOperation _operation; // writing, then flushing
    private byte[]? _copy; // of the write under way
    private bool _isFlushing;

    public override bool CanShutdown => isOneWay || shutdown is not null;

    public override int Begin(ReadOnlySpan<byte> bytes)
    {
        int count = Math.Min(bytes.Length, LargestWrite);
        _copy = BufferPool.Rent(count);
        bytes[..count].CopyTo(_copy);
        _isFlushing = false;
        try
        {
            _operation.Begin(stream.WriteAsync(_copy.AsMemory(0, count)));
            return count;
        }
        catch
        {
            ReturnCopy();
            throw;
        }
    }

    public override void OnCompleted(Action continuation) => _operation.OnCompleted(continuation);

    public override bool TryEnd()
    {
        try
        {
            if (!_operation.IsCompleted) return false;
            _operation.End();
            if (!_isFlushing)
            {
                _isFlushing = true;
                _operation.Begin(new ValueTask(stream.FlushAsync()));
                if (!_operation.IsCompleted) return false;
                _operation.End();
            }

            ReturnCopy();
            return true;
        }
        catch
        {
            ReturnCopy();
            throw;
        }
    }

    public override void Shutdown()
    {
        // Of TLS too, whose own shutdown goes to the native state that a read may be using at this moment: it guards reads and writes against each other, and
        // that not. A peer that goes on sending would break the memory of the process. Nothing is lost: that a connection ends in order is said by GOAWAY.
        if (shutdown is not null) shutdown();
        else Forget(stream.DisposeAsync().AsTask());
    }

    public override void Cancel()
    {
        // The end disposes the stream, and with it the write.
    }

    public override void Release()
    {
        // The end disposes the stream.
    }

    private void ReturnCopy()
    {
        BufferPool.Return(_copy!);
        _copy = null;
    }

    /// <summary>A stream that cannot end in order is broken, which its reader finds out.</summary>
    private static void Forget(Task task) =>
        _ = task.ContinueWith(static ended => _ = ended.Exception, CancellationToken.None, TaskContinuationOptions.OnlyOnFaulted, TaskScheduler.Default);
}
