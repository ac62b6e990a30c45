namespace Mux.Discovery.Kubernetes.Api;

/// <summary>Splits a stream into lines, wherever its chunks end. Not safe for concurrent use.</summary>
/// <param name="stream">Owned by the caller.</param>
/// <param name="maxLength">The longest line, in bytes without its end.</param>
internal sealed class LineReader(Stream stream, int maxLength)
{
    private const int FirstCapacity = 16 * 1024;

    private byte[] _buffer = new byte[Math.Min(FirstCapacity, maxLength + 1)];
    private int _start; // of the line
    private int _scanned; // no end of a line is before it
    private int _end; // of what has arrived

    /// <summary>Reads a line.</summary>
    /// <returns>
    /// The line without its end, valid until the next call; null if the stream has ended, also within a line, whose beginning is then dropped.
    /// </returns>
    /// <exception cref="InvalidDataException">The line is too long. The reader cannot be used further.</exception>
    public async ValueTask<ReadOnlyMemory<byte>?> ReadAsync(CancellationToken cancellationToken)
    {
        while (true)
        {
            int found = _buffer.AsSpan(_scanned, _end - _scanned).IndexOf((byte)'\n');
            int length = (found < 0 ? _end : _scanned + found) - _start;
            if (length > maxLength) throw new InvalidDataException($"a line is longer than {maxLength} bytes");
            if (found >= 0)
            {
                var line = _buffer.AsMemory(_start, length);
                _start = _scanned = _start + length + 1;
                return line;
            }

            _scanned = _end;
            MakeRoom();
            int read = await stream.ReadAsync(_buffer.AsMemory(_end), cancellationToken).ConfigureAwait(false);
            if (read == 0) return null;
            _end += read;
        }
    }

    /// <summary>Moves the line to the beginning of the buffer, and doubles a buffer that it fills: to at most one byte more than a line may have.</summary>
    private void MakeRoom()
    {
        if (_start > 0)
        {
            _buffer.AsSpan(_start, _end - _start).CopyTo(_buffer);
            _end -= _start;
            _scanned -= _start;
            _start = 0;
        }

        if (_end == _buffer.Length) Array.Resize(ref _buffer, (int)Math.Min(2L * _buffer.Length, maxLength + 1L));
    }
}
