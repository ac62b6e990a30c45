using System.Buffers;
using System.IO.Pipelines;

namespace Mux.Discovery.Etcd.Protocol;

/// <summary>Reads the lines of a stream of responses. Used by one reader at a time.</summary>
internal sealed class MessageLines : IAsyncDisposable
{
    /// <summary>Longest line, in bytes: a line holds all events of one transaction, and etcd limits a request to 1.5 MiB by default.</summary>
    public const int MaxLength = 16 * 1024 * 1024;

    private readonly PipeReader _reader;

    public MessageLines(Stream stream) => _reader = PipeReader.Create(stream);

    /// <summary>Reads the next line that is not empty.</summary>
    /// <param name="read">Reads the line, which is valid during the call.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="IOException">The stream has ended or failed, or a line is too long.</exception>
    public async ValueTask<T> ReadAsync<T>(Func<ReadOnlySequence<byte>, T> read, CancellationToken cancellationToken)
    {
        while (true)
        {
            var result = await _reader.ReadAsync(cancellationToken).ConfigureAwait(false);
            var buffer = result.Buffer;
            if (buffer.PositionOf((byte)'\n') is { } end)
            {
                var line = buffer.Slice(0, end);
                bool isEmpty = line.IsEmpty;
                var message = isEmpty ? default! : read(line);
                _reader.AdvanceTo(buffer.GetPosition(1, end));
                if (isEmpty) continue;
                return message;
            }

            long length = buffer.Length;
            _reader.AdvanceTo(buffer.Start, buffer.End);
            if (result.IsCompleted) throw new IOException("the stream has ended");
            if (length > MaxLength) throw new IOException($"a message is longer than {MaxLength} bytes");
        }
    }

    public ValueTask DisposeAsync() => _reader.CompleteAsync();
}
