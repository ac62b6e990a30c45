namespace Mux.Core.Tests.Transports.Streams;

/// <summary>Gives one message for each read; an empty read waits for one to begin. Used by one thread.</summary>
internal sealed class MessageStream : Stream
{
    private readonly Queue<Func<ValueTask<int>>> _reads = [];
    private TaskCompletionSource? _beginning;
    private TaskCompletionSource? _end;
    private byte[] _message = [];
    private Memory<byte> _room;

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    /// <summary>A whole one; none at all is the end.</summary>
    public void Arrive(byte[] message) => Add(() => new(Give(message)));

    public void Fail(Exception error) => Add(() => ValueTask.FromException<int>(error));

    /// <summary>The head of one, whose bytes follow.</summary>
    public void BeginMessage() => Add(async () =>
    {
        _end = new();
        await _end.Task;
        return Give(_message);
    });

    public void EndMessage(byte[] message)
    {
        _message = message;
        _end!.SetResult();
    }

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        _room = buffer;
        if (_reads.Count == 0)
        {
            _beginning = new();
            await _beginning.Task;
        }

        return buffer.IsEmpty ? 0 : await _reads.Dequeue()();
    }

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override void Flush() => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    private void Add(Func<ValueTask<int>> read)
    {
        _reads.Enqueue(read);
        _beginning?.TrySetResult();
    }

    private int Give(byte[] message)
    {
        message.CopyTo(_room);
        return message.Length;
    }
}
