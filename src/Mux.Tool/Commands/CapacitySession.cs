using Mux.Tool.Capacity;
using Mux.Tool.Load;
using Mux.Tool.Reporting;
using Mux.Tool.Reporting.Html;
using Mux.Tool.Reporting.Results;

namespace Mux.Tool.Commands;

/// <summary>Runs one <c>mux capacity</c> from its options to its exit code.</summary>
internal static class CapacitySession
{
    private const int ProbeInFlight = 50;

    // Short: the code is already compiled, only the connections are new.
    private const double WarmupShare = 0.25;

    public static async Task<int> RunAsync(
        BenchConfiguration configuration, Objectives objectives, double precision, TimeSpan step, string? jsonFile, string? htmlFile)
    {
        using var interrupt = new CancellationTokenSource();
        using var signals = new InterruptSignals(interrupt);
        var json = OutputFile.Open("--json", jsonFile);
        await using var jsonEnd = json.ConfigureAwait(false);
        var html = OutputFile.Open("--html", htmlFile);
        await using var htmlEnd = html.ConfigureAwait(false);
        var host = await BenchHost.StartAsync(configuration, interrupt.Token).ConfigureAwait(false);
        await using var hostEnd = host.ConfigureAwait(false);

        var probe = await MeasureAsync(configuration with { InFlight = ProbeInFlight, Duration = step }).ConfigureAwait(false);
        foreach (var line in CapacitySummary.Heading(probe, objectives)) Console.WriteLine(line);
        var runs = new List<BenchOutcome>();
        var search = new CapacitySearch(objectives, precision, step, MeasureStepAsync, tried => Console.WriteLine(CapacitySummary.StepLine(tried, objectives)));
        var answer = await search.RunAsync(probe.Rate).ConfigureAwait(false);
        var result = new CapacityResult(configuration, objectives, precision, step, probe, answer, runs);
        foreach (var line in CapacitySummary.Lines(result, search.MinRate)) Console.WriteLine(line);
        var file = CapacityFile.Of(result);
        foreach (var line in EnvironmentLines.Origin(file.Environment)) Console.WriteLine(line);
        await json.WriteAsync(ResultJson.Write(file)).ConfigureAwait(false);
        await html.WriteAsync(CapacityPage.Of(file)).ConfigureAwait(false);
        return result.ExitCode;

        async Task<StepMeasurement> MeasureStepAsync(double rate, TimeSpan duration)
        {
            // A second's worth of open calls fails any objective, and the run must wait for them.
            int maxOpen = (int)Math.Clamp(rate, 1_000 + configuration.Connections, BenchConfiguration.DefaultMaxOpen);
            var outcome = await MeasureAsync(configuration with { Rate = rate, MaxOpen = maxOpen, Warmup = step * WarmupShare, Duration = duration })
                .ConfigureAwait(false);
            runs.Add(outcome);
            return StepMeasurement.Of(outcome);
        }

        async Task<BenchOutcome> MeasureAsync(BenchConfiguration run)
        {
            var outcome = await host.RunAsync(run, _ => { }, interrupt.Token).ConfigureAwait(false);
            if (outcome.IsInterrupted) throw new ToolException(ExitCode.Interrupted, "Interrupted: there is no answer yet.");
            if (outcome.WrongReplies + outcome.LostReplies + outcome.ProtocolErrors > 0 || outcome.Loss is not null)
                throw new ToolException(outcome.ExitCode, string.Join(' ', Problems.Lines(outcome)));
            return outcome;
        }
    }
}
