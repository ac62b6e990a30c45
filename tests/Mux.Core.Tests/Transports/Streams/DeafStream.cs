using Mux.TestSupport.Transports;

namespace Mux.Core.Tests.Transports.Streams;

/// <summary>A stream whose peer reads nothing: what is written waits until it is cancelled.</summary>
internal sealed class DeafStream : Stream
{
    private int _blockingWrites;

    public Signal Writing { get; } = new("a write is under way");

    public Signal Disposed { get; } = new("the stream is disposed");

    public int BlockingWrites => Volatile.Read(ref _blockingWrites);

    public override bool CanRead => false;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        var cancelled = new TaskCompletionSource();
        await using var registration = cancellationToken.UnsafeRegister(_ => cancelled.SetCanceled(cancellationToken), null);
        Writing.Set();
        await cancelled.Task;
    }

    public override void Write(byte[] buffer, int offset, int count) => Interlocked.Increment(ref _blockingWrites);

    public override void Write(ReadOnlySpan<byte> buffer) => Interlocked.Increment(ref _blockingWrites);

    public override void Flush() => Interlocked.Increment(ref _blockingWrites);

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    protected override void Dispose(bool disposing)
    {
        base.Dispose(disposing);
        Disposed.Set();
    }
}
