using Mux.Tool.Reporting.Results;

namespace Mux.Tool.Reporting.Html;

/// <summary>Latencies by percentile, from a histogram.</summary>
internal static class Spectrum
{
    // Distance on the logarithmic scale below which points are merged.
    private const double Resolution = 0.01;

    public static string Draw(string title, params IReadOnlyList<(string Name, IReadOnlyList<BucketEntry> Buckets)> histograms)
    {
        ChartSeries[] series = [.. histograms.Select(histogram => new ChartSeries(histogram.Name, Points(histogram.Buckets)))];
        long count = histograms.Max(histogram => histogram.Buckets.Sum(bucket => bucket.Count));
        return LineChart.Draw(title, ChartAxis.Percentiles(count), ChartAxis.Log("us", series.SelectMany(line => line.Points).Select(point => point.Y)),
            series);
    }

    /// <summary>Gets the points by 1/(1-p); the largest value, whose p is 1, is placed by the count.</summary>
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
