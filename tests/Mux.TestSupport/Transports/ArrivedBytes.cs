namespace Mux.TestSupport.Transports;

/// <summary>
/// Bytes between an inner link and the handler of a <see cref="FaultingLink"/>: [start, shown) was delivered and is unconsumed, [shown, end) waits.
/// Not safe for concurrent use, but a span taken stays good whatever is appended.
/// </summary>
internal sealed class ArrivedBytes
{
    private byte[] _bytes = [];
    private int _start;
    private int _shown;
    private int _end;

    public int Waiting => _end - _shown;

    /// <summary>The position in the whole stream of the first waiting byte.</summary>
    public long Position { get; private set; }

    public void Append(ReadOnlySpan<byte> bytes)
    {
        if (_end + bytes.Length > _bytes.Length)
        {
            // Never in place: the handler may be looking at the old array.
            var larger = new byte[(_end - _start + bytes.Length) * 2];
            _bytes.AsSpan(_start, _end - _start).CopyTo(larger);
            _bytes = larger;
            _shown -= _start;
            _end -= _start;
            _start = 0;
        }

        bytes.CopyTo(_bytes.AsSpan(_end));
        _end += bytes.Length;
    }

    /// <summary>All that is unconsumed and <paramref name="count"/> waiting bytes more.</summary>
    public ReadOnlyMemory<byte> Show(int count)
    {
        _shown += count;
        Position += count;
        return _bytes.AsMemory(_start, _shown - _start);
    }

    public void Consume(int count) => _start += count;
}
