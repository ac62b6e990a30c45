namespace Mux.Tool.Load;

/// <param name="Made">Number of calls made since the load began.</param>
/// <param name="Dropped">Number of due calls that were not made, because too many were open.</param>
/// <param name="Open">Number of calls open now.</param>
internal readonly record struct LaneCounts(long Made, long Dropped, int Open)
{
    public static LaneCounts operator +(LaneCounts left, LaneCounts right) => new(left.Made + right.Made, left.Dropped + right.Dropped, left.Open + right.Open);
}
