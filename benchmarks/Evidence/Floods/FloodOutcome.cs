using System.Globalization;
using Evidence.Statistics;

namespace Evidence.Floods;

/// <summary>The rounds of one flood, and which goals they miss. Rate and p99 are judged by their medians, because each is the ratio of two short runs; the rest by its worst.</summary>
/// <param name="isCutOff">Whether the flood breaks a rule, so that it must be cut off.</param>
internal sealed class FloodOutcome(bool isCutOff)
{
    private const double LeastRate = 0.7;
    private const double MostP99 = 3;
    private const double MostMilliseconds = 1_000;
    private const double MostGrowth = 16;

    private readonly List<double> _rates = [];
    private readonly List<double> _tails = [];
    private readonly List<double> _growths = [];
    private readonly List<FloodReport> _reports = [];

    private int Cuts => _reports.Sum(report => report.Cuts);

    private double Longest => _reports.Max(report => report.Longest);

    /// <summary>The goals that are missed, by name.</summary>
    public IReadOnlyList<string> Missed =>
    [
        .. Estimate.MedianOf(_rates) >= LeastRate ? [] : (string[])["rate"],
        .. Estimate.MedianOf(_tails) <= MostP99 ? [] : (string[])["p99"],
        .. (isCutOff ? _reports.All(report => report.Cuts > 0) && Longest <= MostMilliseconds : Cuts == 0) ? [] : (string[])["cut off"],
        .. _growths.Max() <= MostGrowth ? [] : (string[])["memory"],
    ];

    private static string Goals(bool isCutOff) => string.Create(CultureInfo.InvariantCulture,
        $"rate >= {LeastRate}, p99 <= {MostP99}, {(isCutOff ? $"cut off <= {MostMilliseconds:F0} ms" : "not cut off")}, memory <= {MostGrowth} MiB");

    public void Add(double rate, double tail, double growth, FloodReport report)
    {
        _rates.Add(rate);
        _tails.Add(tail);
        _growths.Add(growth);
        _reports.Add(report);
    }

    /// <summary>The cells behind the name of the flood.</summary>
    public string Describe()
    {
        var lived = Cuts == 0 ? "not" : $"{Estimate.MedianOf(_reports.Where(report => report.Cuts > 0).Select(report => report.Median)):F0} ms, {Longest:F0} ms";
        var verdict = Missed.Count == 0 ? "met" : $"NOT MET: {string.Join(", ", Missed)}";
        return $"{Describe(_rates)} | {Describe(_tails)} | {lived} | {Cuts} | {Estimate.MedianOf(_growths):F1}, at most {_growths.Max():F1} | {Goals(isCutOff)} | {verdict}";
    }

    private static string Describe(List<double> ratios) => Estimate.Of(ratios) is var estimate ? estimate.ToString("F2") : string.Empty;
}
