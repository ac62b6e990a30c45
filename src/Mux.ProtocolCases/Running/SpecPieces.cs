using Mux.Protocol;

namespace Mux.ProtocolCases.Running;

/// <summary>Lengths of the pieces in which an input is sent. They add up to its length.</summary>
internal static class SpecPieces
{
    /// <summary>
    /// Distance from either end within which a long input is sent byte by byte. A system call per byte in between would take minutes and prove no more.
    /// </summary>
    private const int Margin = 1_000;

    private const int Stride = 997; // a prime, so that pieces end at all positions in frames

    public static IEnumerable<int> Of(int length, SpecSplit split) => split switch
    {
        SpecSplit.Whole => [length],
        SpecSplit.Half => Cut(length, 1, FrameHeader.Size, FrameHeader.Size + (length - FrameHeader.Size) / 2),
        _ => Singles(length),
    };

    private static IEnumerable<int> Cut(int length, params int[] places)
    {
        int at = 0;
        foreach (int place in places)
        {
            if (place <= at || place >= length) continue;
            yield return place - at;
            at = place;
        }

        yield return length - at;
    }

    private static IEnumerable<int> Singles(int length)
    {
        for (int at = 0, count; at < length; at += count)
        {
            bool isInside = at >= Margin && at + Stride < length - Margin;
            count = isInside ? Stride : 1;
            yield return count;
        }
    }
}
