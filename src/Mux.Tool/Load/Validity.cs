using System.Globalization;
using Mux.Tool.Measuring;
using Mux.Tool.Reporting;

namespace Mux.Tool.Load;

/// <summary>Checks whether the figures of an open loop describe the server, or a generator that could not keep its schedule.</summary>
internal static class Validity
{
    /// <summary>Minimum share of the target rate that must be made and answered.</summary>
    public const double MinAchieved = 0.99;

    /// <summary>Gets the reasons for an invalid run; empty if it is valid.</summary>
    /// <param name="targetRate">Calls per second.</param>
    /// <param name="elapsed">Measured time.</param>
    /// <param name="counts">Calls made and dropped in that time.</param>
    /// <param name="replies">Number of replies in that time.</param>
    /// <param name="lag">Lag of the calls.</param>
    /// <param name="maxLag">Maximum p99 of the lag.</param>
    public static IReadOnlyList<string> Reasons(double targetRate, TimeSpan elapsed, LaneCounts counts, long replies, LatencyHistogram lag, TimeSpan maxLag)
    {
        var reasons = new List<string>();
        double planned = targetRate * elapsed.TotalSeconds;
        if (counts.Made + counts.Dropped < MinAchieved * Math.Floor(planned)) reasons.Add($"only {Share(counts.Made, planned)} of the target rate was made");
        else if (replies < MinAchieved * Math.Floor(planned)) reasons.Add($"only {Share(replies, planned)} of the target rate was answered");
        if (counts.Dropped > 0) reasons.Add($"{Quantity.Count(counts.Dropped)} calls dropped, too many were open");
        long lagP99 = lag.Percentile(0.99);
        if (lagP99 > maxLag.TotalNanoseconds)
        {
            reasons.Add($"calls made late, lag p99 {Quantity.Microseconds(lagP99)} us of at most {Quantity.Microseconds((long)maxLag.TotalNanoseconds)} us");
        }

        return reasons;
    }

    private static string Share(long part, double whole) =>
        (part / whole).ToString("P1", CultureInfo.InvariantCulture).Replace(" ", "", StringComparison.Ordinal);
}
