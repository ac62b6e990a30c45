using System.Buffers;
using System.IO.Pipelines;

namespace Mux.Discovery.Etcd.Protocol;

/// <summary>Reads the lines of a stream of responses, at the pace of <see cref="ReadPace"/>. Used by one reader at a time.</summary>
internal sealed class MessageLines : IAsyncDisposable
{
    /// <summary>Longest line, in bytes: a line holds all events of one transaction, and etcd limits a request to 1.5 MiB by default.</summary>
    public const int MaxLength = 16 * 1024 * 1024;

    private const int ChunkSize = 16 * 1024;

    private readonly PipeReader _reader;
    private readonly TimeProvider _time;
    private readonly long _openedAt;
    private readonly ReadPace _pace = new();
    private TimeSpan _pause; // before the next line
    // Until where the line has no end: a place, for a count of bytes is found again from the first of all pieces each time.
    private SequencePosition? _searched;

    public MessageLines(Stream stream, TimeProvider time)
    {
        _reader = PipeReader.Create(stream, new StreamPipeReaderOptions(bufferSize: ChunkSize));
        (_time, _openedAt) = (time, time.GetTimestamp());
    }

    /// <summary>Reads the next line that is not empty.</summary>
    /// <param name="read">Reads the line, which is valid during the call.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="IOException">The stream has ended or failed, or a line is too long.</exception>
    public async ValueTask<T> ReadAsync<T>(Func<ReadOnlySequence<byte>, T> read, CancellationToken cancellationToken)
    {
        while (true)
        {
            if (_pause > TimeSpan.Zero) await Task.Delay(_pause, _time, cancellationToken).ConfigureAwait(false);
            _pause = TimeSpan.Zero;
            var result = await _reader.ReadAsync(cancellationToken).ConfigureAwait(false);
            var buffer = result.Buffer;
            // Not from the beginning: that is quadratic for a long line.
            if (buffer.Slice(_searched ?? buffer.Start).PositionOf((byte)'\n') is { } end)
            {
                _searched = null;
                var line = buffer.Slice(0, end);
                bool isEmpty = line.IsEmpty;
                _pause = _pace.OnRead(line.Length, _time.GetElapsedTime(_openedAt));
                var message = isEmpty ? default! : read(line);
                _reader.AdvanceTo(buffer.GetPosition(1, end));
                if (isEmpty) continue;
                return message;
            }

            _searched = buffer.End;
            bool isTooLong = buffer.Length > MaxLength;
            _reader.AdvanceTo(buffer.Start, buffer.End);
            if (result.IsCompleted) throw new IOException("the stream has ended");
            if (isTooLong) throw new IOException($"a message is longer than {MaxLength} bytes");
        }
    }

    public ValueTask DisposeAsync() => _reader.CompleteAsync();
}
