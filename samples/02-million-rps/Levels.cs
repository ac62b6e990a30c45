namespace MillionRps;

/// <summary>Replies by how long they took, with half-open ranges: every reply is in exactly one.</summary>
public sealed class Levels
{
    private static readonly (double Below, string Text)[] s_levels =
        [(0.1, "<0.1 ms"), (0.5, "0.1-0.5"), (1, "0.5-1"), (3, "1-3"), (double.PositiveInfinity, ">=3 ms")];

    private readonly long[] _counts = new long[s_levels.Length];

    public void Add(double milliseconds)
    {
        int level = 0;
        while (milliseconds >= s_levels[level].Below) level++;
        Interlocked.Increment(ref _counts[level]);
    }

    public override string ToString() => string.Join("  ", s_levels.Select((level, i) => $"{level.Text}: {Volatile.Read(ref _counts[i]):N0}"));
}
