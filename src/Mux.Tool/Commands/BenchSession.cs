using Mux.Tool.Load;
using Mux.Tool.Reporting;
using Mux.Tool.Reporting.Html;
using Mux.Tool.Reporting.Results;

namespace Mux.Tool.Commands;

/// <summary>Runs one <c>mux bench</c> from its options to its exit code.</summary>
internal static class BenchSession
{
    public static async Task<int> RunAsync(BenchConfiguration configuration, int repeat, string? jsonFile, string? htmlFile, bool isQuiet)
    {
        using var interrupt = new CancellationTokenSource();
        using var signals = new InterruptSignals(interrupt);
        var json = OutputFile.Open("--json", jsonFile);
        await using var jsonEnd = json.ConfigureAwait(false);
        var html = OutputFile.Open("--html", htmlFile);
        await using var htmlEnd = html.ConfigureAwait(false);
        var runs = await MeasureAsync(configuration, repeat, isQuiet, interrupt.Token).ConfigureAwait(false);
        var result = ResultFile.Of(runs);
        int exitCode = Report(runs, result);
        await json.WriteAsync(ResultJson.Write(result)).ConfigureAwait(false);
        await html.WriteAsync(BenchPage.Of(result)).ConfigureAwait(false);
        return exitCode;
    }

    private static async Task<BenchRuns> MeasureAsync(BenchConfiguration configuration, int repeat, bool isQuiet, CancellationToken interrupted)
    {
        var outcomes = new List<BenchOutcome>();
        while (outcomes.Count < repeat && outcomes.TrueForAll(outcome => outcome is { IsInterrupted: false, Loss: null }))
        {
            var host = await BenchHost.StartAsync(configuration, interrupted).ConfigureAwait(false);
            await using var hostEnd = host.ConfigureAwait(false);
            var display = ProgressDisplay.Choose(isQuiet, configuration.Traits.Unit);
            outcomes.Add(await display.ShowAsync(report => host.RunAsync(configuration, report, interrupted)).ConfigureAwait(false));
            if (repeat > 1 && !isQuiet) Console.WriteLine(RepeatSummary.RunLine(outcomes.Count, outcomes[^1]));
        }

        return new BenchRuns(outcomes);
    }

    /// <returns>The exit code.</returns>
    private static int Report(BenchRuns runs, ResultFile result)
    {
        foreach (var line in runs.Count == 1 ? Summary.Lines(runs.Median) : RepeatSummary.Lines(runs)) Console.WriteLine(line);
        foreach (var line in EnvironmentLines.Origin(result.Environment)) Console.WriteLine(line);
        foreach (var line in runs.SelectMany(Problems.Lines).Distinct(StringComparer.Ordinal)) Console.Error.WriteLine($"mux bench: {line}");
        return runs.ExitCode;
    }
}
