namespace Mux.Tool.Chaos;

/// <summary>
/// Flips one bit in a share of the bytes of a stream. The position of a byte in the stream decides, not the pieces in which it arrives. Not thread-safe.
/// </summary>
internal sealed class CorruptBytes(SeededDraws draws)
{
    private const int BitsPerByte = 8;

    private double _share;
    private long _until; // right bytes before the next wrong one

    /// <param name="bytes">The next bytes of the stream.</param>
    /// <param name="share">Share of the bytes, from 0 to 1.</param>
    /// <returns>Number of the changed bytes.</returns>
    public int Apply(Span<byte> bytes, double share)
    {
        if (share <= 0) return 0;
        if (share != _share)
        {
            _share = share;
            _until = Gap();
        }

        int changed = 0;
        long at = _until;
        while (at < bytes.Length)
        {
            bytes[(int)at] ^= (byte)(1 << (int)(draws.Next() * BitsPerByte));
            changed++;
            at += 1 + Gap();
        }

        _until = at - bytes.Length;
        return changed;
    }

    // The number of failures before a success of independent trials is geometric; this is its inverse. 1 - draw is above 0.
    private long Gap() => _share >= 1 ? 0 : (long)Math.Min(long.MaxValue / 2, Math.Log(1 - draws.Next()) / Math.Log(1 - _share));
}
