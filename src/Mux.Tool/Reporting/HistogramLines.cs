using Mux.Tool.Measuring;

namespace Mux.Tool.Reporting;

/// <summary>A histogram of latencies as text, 80 columns wide: a line for every step of 1, 2, 5 or, for wide ones, of 1 and 10.</summary>
internal static class HistogramLines
{
    private const int BarWidth = 38;

    /// <summary>Number of lines above which only powers of ten are edges.</summary>
    private const int MostLines = 14;

    private const long Microsecond = 1_000;

    private static readonly int[] s_fine = [1, 2, 5];
    private static readonly int[] s_coarse = [1];

    public static IEnumerable<string> Of(LatencyHistogram latencies)
    {
        if (latencies.Count == 0) yield break;
        var rows = Rows(latencies, s_fine);
        if (rows.Count > MostLines) rows = Rows(latencies, s_coarse);
        long most = rows.Max(row => row.Count);
        yield return "";
        yield return $"{"Latency",-21}{"share",7}  {"",-BarWidth}{"replies",11}";
        foreach (var (from, to, count) in rows)
        {
            int length = count == 0 ? 0 : Math.Max(1, (int)Math.Round((double)count / most * BarWidth));
            yield return $"{Time(from),8} - {Time(to),-8}  {Quantity.Decimal(100.0 * count / latencies.Count, "0.00"),5} %  {new string('#', length),-BarWidth}"
                + $"{Quantity.Compact(count),10}";
        }
    }

    /// <summary>Gets the ranges from the shortest to the longest latency.</summary>
    private static List<LatencyBucket> Rows(LatencyHistogram latencies, int[] steps)
    {
        var rows = new List<LatencyBucket>();
        long from = 0, below = 0;
        foreach (long to in Edges(steps))
        {
            long belowEdge = latencies.CountBelow(to);
            if (belowEdge > below || rows.Count > 0) rows.Add(new LatencyBucket(from, to, belowEdge - below));
            (from, below) = (to, belowEdge);
            if (below == latencies.Count) break;
        }

        return rows;
    }

    // Latencies count as at most 107 s.
    private static IEnumerable<long> Edges(int[] steps)
    {
        for (long decade = Microsecond; decade <= 1_000_000_000_000; decade *= 10)
        {
            foreach (int step in steps) yield return decade * step;
        }
    }

    private static string Time(long nanoseconds) => nanoseconds switch
    {
        < 1_000_000 => $"{nanoseconds / 1_000} us",
        < 1_000_000_000 => $"{nanoseconds / 1_000_000} ms",
        _ => $"{nanoseconds / 1_000_000_000} s",
    };
}
