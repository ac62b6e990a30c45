using System.Globalization;
using Evidence.Programs;

namespace Evidence.Ratios;

/// <summary>Rows at a share of what 10x200 makes: calls come on a schedule, and response times count from when they should have been made.</summary>
internal sealed class OpenLoopRows(RatioPlan plan, double fullRate)
{
    private const double LoadOfT5 = 0.5;
    private const double LoadOfF1 = 0.2;
    private const int MostRepeats = 5;

    public Row Response()
    {
        var figures = Bench("T5", LoadOfT5 * fullRate);
        var text = $"{Invalid(figures)}p99 {figures.P99 / 1000:F2} ms, p99.9 {figures.P999 / 1000:F2} ms";
        return new("T5", $"open loop at half of T1, {figures.Rate:N0} calls/s", text, "p99 <= 3 ms, p99.9 <= 10 ms", IsValid(figures) && figures is { P99: <= 3_000, P999: <= 10_000 });
    }

    /// <param name="share">Of the handlers that sleep 5 ms, such as 1%.</param>
    public Row BesideSlowHandlers(string share)
    {
        var figures = Bench($"F1-{share.TrimEnd('%')}", LoadOfF1 * fullRate, "--slow", $"{share}:5ms");
        var text = $"{Invalid(figures)}p50 {figures.Others("p50"):F0} us, p99 {figures.Others("p99") / 1000:F2} ms, p99.9 {figures.Others("p999") / 1000:F2} ms; " +
            $"hand-offs: client {figures.ClientHandOffs:N0}, server {figures.ServerHandOffs:N0}";
        return new("F1", $"{share} of the handlers sleep 5 ms, {figures.Rate:N0} calls/s (a fifth of T1): the others", text, "p99 <= 2 ms", IsValid(figures) && figures.Others("p99") <= 2_000);
    }

    private BenchFigures Bench(string name, double rate, params string[] arguments)
    {
        Console.Error.WriteLine($"{name}: {rate:N0} calls/s");
        string[] load = ["--rate", rate.ToString("F0", CultureInfo.InvariantCulture), "--repeat", Math.Min(plan.Pairs, MostRepeats).ToString(CultureInfo.InvariantCulture)];
        var figures = MuxTool.Bench([.. load, .. plan.Timing.Arguments, .. arguments]);
        plan.Keep(figures, name);
        return figures;
    }

    /// <summary>Whether the generator kept its schedule in most runs, so that the run with the median is one of them. The medians are of all.</summary>
    private static bool IsValid(BenchFigures figures) => 2 * figures.InvalidRuns.Count < figures.RunCount;

    private static string Invalid(BenchFigures figures) => figures.InvalidRuns.Count switch
    {
        0 => "",
        var count when IsValid(figures) => $"{count} of {figures.RunCount} runs invalid ({string.Join("; ", figures.InvalidRuns)}): ",
        var count => $"INVALID, {count} of {figures.RunCount} runs ({string.Join("; ", figures.InvalidRuns)}): ",
    };
}
