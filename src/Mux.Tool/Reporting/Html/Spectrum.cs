using Mux.Tool.Reporting.Results;

namespace Mux.Tool.Reporting.Html;

/// <summary>The latency of every percentile, from a histogram.</summary>
internal static class Spectrum
{
    // Points nearer than this, of the logarithm, are one on the drawing.
    private const double Resolution = 0.01;

    public static string Draw(string title, params IReadOnlyList<(string Name, IReadOnlyList<BucketEntry> Buckets)> histograms)
    {
        ChartSeries[] series = [.. histograms.Select(histogram => new ChartSeries(histogram.Name, Points(histogram.Buckets)))];
        long count = histograms.Max(histogram => histogram.Buckets.Sum(bucket => bucket.Count));
        return LineChart.Draw(title, ChartAxis.Percentiles(count), ChartAxis.Log("us", series.SelectMany(line => line.Points).Select(point => point.Y)),
            series);
    }

    /// <summary>By 1/(1-p); the largest value, whose p is 1, by the count.</summary>
    public static IReadOnlyList<(double X, double Y)> Points(IReadOnlyList<BucketEntry> buckets)
    {
        var points = new List<(double X, double Y)>();
        double count = buckets.Sum(bucket => bucket.Count);
        long seen = 0;
        foreach (var bucket in buckets)
        {
            seen += bucket.Count;
            double x = seen == count ? count : 1 / (1 - seen / count);
            if (points.Count == 0) points.Add((1, bucket.FromUs));
            if (seen == count || Math.Log10(x / points[^1].X) >= Resolution) points.Add((x, bucket.ToUs));
        }

        return points;
    }
}
