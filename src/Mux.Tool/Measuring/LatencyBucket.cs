namespace Mux.Tool.Measuring;

/// <summary>Number of replies with a latency in a range.</summary>
/// <param name="From">Its shortest latency, in nanoseconds.</param>
/// <param name="To">The shortest latency above it, in nanoseconds; <see cref="long.MaxValue"/> for none.</param>
/// <param name="Count">Number of replies.</param>
internal readonly record struct LatencyBucket(long From, long To, long Count);
