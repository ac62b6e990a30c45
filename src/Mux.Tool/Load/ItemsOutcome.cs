using Mux.Tool.Measuring;

namespace Mux.Tool.Load;

/// <summary>The items of a method with streams, in the measured time.</summary>
/// <param name="Received">Number of items of response streams; null for a method without one.</param>
/// <param name="Sent">Number of items of request streams; null for a method without one.</param>
/// <param name="First">Times from a call to its first item.</param>
/// <param name="Elapsed">The measured time.</param>
internal sealed record ItemsOutcome(long? Received, long? Sent, LatencyHistogram First, TimeSpan Elapsed)
{
    /// <summary>Items received per second; null for a method without a response stream.</summary>
    public double? ReceivedRate => PerSecond(Received);

    /// <summary>Items sent per second; null for a method without a request stream.</summary>
    public double? SentRate => PerSecond(Sent);

    private double? PerSecond(long? items) => items is null ? null : Elapsed == TimeSpan.Zero ? 0 : items / Elapsed.TotalSeconds;
}
