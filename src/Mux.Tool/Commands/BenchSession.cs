using Mux.Tool.Load;
using Mux.Tool.Reporting;
using Mux.Tool.Reporting.Html;
using Mux.Tool.Reporting.Results;

namespace Mux.Tool.Commands;

/// <summary>Runs one <c>mux bench</c> from its options to its exit code.</summary>
/// <param name="configuration">Configuration of the runs.</param>
/// <param name="output">Where the result goes.</param>
/// <param name="isQuiet">True for no progress.</param>
/// <param name="hasHistogram">True to print a histogram.</param>
internal sealed class BenchSession(BenchConfiguration configuration, ResultOutput output, bool isQuiet, bool hasHistogram)
{
    /// <param name="repeat">Number of runs.</param>
    /// <returns>The exit code.</returns>
    public async Task<int> RunAsync(int repeat)
    {
        using var interrupt = new CancellationTokenSource();
        using var signals = new InterruptSignals(interrupt);
        var runs = await MeasureAsync(repeat, interrupt.Token).ConfigureAwait(false);
        var result = ResultFile.Of(runs);
        await output.WriteAsync(result, () => Report(runs, result), CsvReport.Of, PrometheusReport.Of, BenchPage.Of)
            .ConfigureAwait(false);
        return runs.ExitCode;
    }

    private async Task<BenchRuns> MeasureAsync(int repeat, CancellationToken interrupted)
    {
        var outcomes = new List<BenchOutcome>();
        while (outcomes.Count < repeat && outcomes.TrueForAll(outcome => outcome is { IsInterrupted: false, Loss: null }))
        {
            var host = await BenchHost.StartAsync(configuration, interrupted).ConfigureAwait(false);
            await using var hostEnd = host.ConfigureAwait(false);
            var display = ProgressDisplay.Choose(isQuiet, output.IsText, configuration.Traits.Unit);
            outcomes.Add(await display.ShowAsync(report => host.RunAsync(configuration, report, interrupted)).ConfigureAwait(false));
            if (repeat > 1 && !isQuiet) output.Text.WriteLine(RepeatSummary.RunLine(outcomes.Count, outcomes[^1]));
        }

        return new BenchRuns(outcomes);
    }

    private void Report(BenchRuns runs, ResultFile result)
    {
        output.WriteLines(runs.Count == 1 ? Summary.Lines(runs.Median) : RepeatSummary.Lines(runs));
        if (hasHistogram) output.WriteLines(HistogramLines.Of(runs.Median.Latencies));
        output.Text.WriteLine();
        if (runs.Objectives is { } objectives) output.WriteLines(ObjectiveLines.Lines(objectives));
        output.WriteLines(EnvironmentLines.Origin(result.Environment));
        var problems = runs.SelectMany(Problems.Lines).Distinct(StringComparer.Ordinal);
        if (runs.Objectives is { } outcome) problems = problems.Concat(ObjectiveLines.Problems(outcome));
        foreach (var line in problems) Console.Error.WriteLine($"mux bench: {PrintableText.Of(line)}");
    }
}
