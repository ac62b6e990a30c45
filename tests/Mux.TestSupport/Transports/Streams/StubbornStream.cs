namespace Mux.TestSupport.Transports.Streams;

/// <summary>A stream whose reads and writes end when the test says so and never otherwise, not even when it is disposed. An empty read is over at once, as with a file.</summary>
public sealed class StubbornStream : Stream
{
    private readonly TaskCompletionSource<byte[]> _read = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _written = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public Signal Reading { get; } = new("the stream is being read");

    public Signal Disposed { get; } = new("the stream is disposed");

    /// <summary>What is known to be wrong with every write; null for a write that waits.</summary>
    public Exception? WriteError { get; set; }

    public override bool CanRead => true;

    public override bool CanWrite => true;

    public override bool CanSeek => false;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public void EndRead(params byte[] bytes) => _read.TrySetResult(bytes);

    public void FailRead(Exception error) => _read.TrySetException(error);

    public void EndWrite() => _written.TrySetResult();

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (buffer.IsEmpty) return 0;
        Reading.Set();
        var bytes = await _read.Task;
        bytes.CopyTo(buffer);
        return bytes.Length;
    }

    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default) =>
        WriteError is { } error ? ValueTask.FromException(error) : new ValueTask(_written.Task);

    public override Task FlushAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public override void Flush()
    {
    }

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    protected override void Dispose(bool disposing)
    {
        Disposed.Set();
        base.Dispose(disposing);
    }
}
