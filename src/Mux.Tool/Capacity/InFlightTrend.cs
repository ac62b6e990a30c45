namespace Mux.Tool.Capacity;

/// <summary>
/// Detects calls that pile up. At a rate that the server cannot sustain, they do so from the first second, however long the objective's limit is.
/// </summary>
internal static class InFlightTrend
{
    /// <summary>Number of stretches that the samples are grouped into; their means are practically independent.</summary>
    private const int Stretches = 10;

    /// <summary>Student's t of a slope with 8 degrees of freedom, exceeded by chance once in 100.</summary>
    private const double CriticalT = 2.9;

    /// <summary>A rise below this share of the calls is within the precision of a search.</summary>
    private const double HarmlessShare = 0.005;

    /// <param name="inFlight">Calls in flight, sampled in even steps.</param>
    /// <param name="calls">Number of calls made meanwhile.</param>
    public static bool IsRising(IReadOnlyList<int> inFlight, long calls)
    {
        if (inFlight.Count < 2 * Stretches) return false;
        var means = new double[Stretches];
        for (int i = 0; i < Stretches; i++)
        {
            int from = i * inFlight.Count / Stretches, to = (i + 1) * inFlight.Count / Stretches;
            for (int at = from; at < to; at++) means[i] += (double)inFlight[at] / (to - from);
        }

        // Least squares over x = 0, 1, ...
        double meanX = (Stretches - 1) / 2.0, meanY = means.Average();
        double xx = 0, xy = 0;
        for (int i = 0; i < Stretches; i++)
        {
            xx += (i - meanX) * (i - meanX);
            xy += (i - meanX) * (means[i] - meanY);
        }

        double slope = xy / xx;
        double residual = 0;
        for (int i = 0; i < Stretches; i++) residual += Math.Pow(means[i] - meanY - slope * (i - meanX), 2);
        double error = Math.Sqrt(residual / (Stretches - 2) / xx);
        return slope * Stretches > HarmlessShare * calls && slope > CriticalT * error;
    }
}
