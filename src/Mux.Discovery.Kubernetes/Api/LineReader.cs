using System.Buffers;
using System.IO.Pipelines;

namespace Mux.Discovery.Kubernetes.Api;

/// <summary>Splits a stream into lines, wherever its chunks end. Not safe for concurrent use.</summary>
/// <param name="stream">Owned by the caller.</param>
/// <param name="maxLength">The longest line, in bytes without its end.</param>
internal sealed class LineReader(Stream stream, int maxLength) : IDisposable
{
    private const int ChunkSize = 16 * 1024;

    private readonly PipeReader _reader = PipeReader.Create(stream, new StreamPipeReaderOptions(bufferSize: ChunkSize, leaveOpen: true));
    private SequencePosition? _next; // the line before it is the caller's until it asks for the next one
    // Until where the line has no end: a place, for a count of bytes is found again from the first of all pieces each time.
    private SequencePosition? _searched;

    /// <summary>Reads a line.</summary>
    /// <returns>
    /// The line without its end, valid until the next call; null if the stream has ended, also within a line, whose beginning is then dropped.
    /// </returns>
    /// <exception cref="InvalidDataException">The line is too long. The reader cannot be used further.</exception>
    public async ValueTask<ReadOnlySequence<byte>?> ReadAsync(CancellationToken cancellationToken)
    {
        if (_next is { } next) _reader.AdvanceTo(next);
        _next = null;
        while (true)
        {
            var result = await _reader.ReadAsync(cancellationToken).ConfigureAwait(false);
            var buffer = result.Buffer;
            // Not from the beginning: that is quadratic for a long line.
            var end = buffer.Slice(_searched ?? buffer.Start).PositionOf((byte)'\n');
            var line = end is { } found ? buffer.Slice(0, found) : buffer;
            if (line.Length > maxLength) throw new InvalidDataException($"a line is longer than {maxLength} bytes");
            if (end is { } position)
            {
                _next = buffer.GetPosition(1, position);
                _searched = null;
                return line;
            }

            _searched = buffer.End;
            _reader.AdvanceTo(buffer.Start, buffer.End);
            if (result.IsCompleted) return null;
        }
    }

    public void Dispose() => _reader.Complete();
}
