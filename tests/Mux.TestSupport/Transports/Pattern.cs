namespace Mux.TestSupport.Transports;

/// <summary>An endless stream of bytes in which every position can be checked: random bytes that repeat after a prime number of them.</summary>
public sealed class Pattern
{
    private const int Period = 65_521;

    private readonly byte[] _bytes = new byte[Period];

    public Pattern(int seed) => new Random(seed).NextBytes(_bytes);

    public void Fill(Span<byte> destination, long position)
    {
        while (destination.Length > 0)
        {
            var piece = PieceAt(position, destination.Length);
            piece.CopyTo(destination);
            destination = destination[piece.Length..];
            position += piece.Length;
        }
    }

    /// <returns>The position of the first byte that is not the stream's, or -1.</returns>
    public long FirstDifference(ReadOnlySpan<byte> bytes, long position)
    {
        while (bytes.Length > 0)
        {
            var piece = PieceAt(position, bytes.Length);
            int same = bytes.CommonPrefixLength(piece);
            if (same < piece.Length) return position + same;
            bytes = bytes[piece.Length..];
            position += piece.Length;
        }

        return -1;
    }

    private ReadOnlySpan<byte> PieceAt(long position, int wanted)
    {
        int start = (int)(position % Period);
        return _bytes.AsSpan(start, Math.Min(wanted, Period - start));
    }
}
