using System.Globalization;
using Mux.Tool.Commands;

namespace Mux.Tool.Capacity;

/// <summary>Objectives of a search or a bench, such as <c>p99&lt;2ms,errors&lt;0.1%</c>.</summary>
internal sealed class Objectives
{
    public const string Expected = "objectives such as p99<2ms,errors<0.1%";

    // Number of samples beyond a percentile that make it credible.
    private const int SamplesBeyond = 100;

    private const double LargestQuantile = 0.9999;

    private readonly string _text;

    private Objectives(string text, IReadOnlyList<LatencyObjective> latencies, double? errors) => (_text, Latencies, ErrorLimit) = (text, latencies, errors);

    public IReadOnlyList<LatencyObjective> Latencies { get; }

    /// <summary>Share of failed calls that fails the objective, from 0 to 1; null if no call may fail.</summary>
    public double? ErrorLimit { get; }

    /// <summary>The shortest limit; null if there is none.</summary>
    public TimeSpan? TightestLimit => Latencies.Count == 0 ? null : Latencies.Min(latency => latency.Limit);

    /// <summary>Number of replies that make the highest percentile credible: 100 beyond it.</summary>
    public long SamplesNeeded => Latencies.Count == 0 ? SamplesBeyond : SamplesFor(Latencies.Max(latency => latency.Quantile));

    /// <summary>Gets the number of replies that make a percentile credible.</summary>
    public static long SamplesFor(double quantile) => (long)Math.Ceiling(Math.Round(SamplesBeyond / (1 - quantile), 3));

    /// <param name="text">Objectives separated by commas.</param>
    /// <param name="failure">The problem, and the allowed values.</param>
    /// <returns>Null if the text is not valid.</returns>
    public static Objectives? Parse(string text, out string failure)
    {
        var latencies = new List<LatencyObjective>();
        double? errors = null;
        foreach (var part in text.Split(','))
        {
            if (part.Split('<') is not [var metric, var limit])
            {
                failure = $"'{part}' is not an objective: expected {Expected}";
                return null;
            }

            if (metric == "errors")
            {
                if (errors is not null) return Fail("'errors' is given twice", out failure);
                if (!TryReadShare(limit, out double share)) return Fail($"'{part}': expected a share above 0% up to 100%, such as errors<0.1%", out failure);
                errors = share;
            }
            else if (TryReadPercentile(metric, out double quantile))
            {
                if (!Duration.TryParse(limit, out var time) || time.Value <= TimeSpan.Zero || time.Value > TimeSpan.FromMinutes(1))
                    return Fail($"'{part}': expected a time above 0 up to 1m, such as {metric}<2ms", out failure);
                latencies.Add(new LatencyObjective(quantile, time.Value));
            }
            else
            {
                return Fail($"'{metric}' is not a metric: expected p50 to p99.99, or errors", out failure);
            }
        }

        failure = "";
        return new Objectives(text, latencies, errors);
    }

    /// <summary>The text as it was given.</summary>
    public override string ToString() => _text;

    private static Objectives? Fail(string reason, out string failure)
    {
        failure = reason;
        return null;
    }

    private static bool TryReadPercentile(string metric, out double quantile)
    {
        quantile = 0;
        if (!metric.StartsWith('p') || !double.TryParse(metric.AsSpan(1), NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double percent))
        {
            return false;
        }

        quantile = Math.Round(percent / 100, 6); // the number nearest to 0.999, unlike 99.9 / 100
        return quantile is >= 0.5 and <= LargestQuantile;
    }

    private static bool TryReadShare(string text, out double share)
    {
        share = 0;
        if (!text.EndsWith('%') || !double.TryParse(
            text.AsSpan(0, text.Length - 1), NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double percent))
        {
            return false;
        }

        share = percent / 100;
        return share is > 0 and <= 1;
    }
}
