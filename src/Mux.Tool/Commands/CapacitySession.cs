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

    /// <param name="configuration">Configuration of the calls.</param>
    /// <param name="search">Parameters of the search.</param>
    /// <param name="output">Where the result goes.</param>
    /// <returns>The exit code.</returns>
    public static async Task<int> RunAsync(BenchConfiguration configuration, CapacityParameters search, ResultOutput output)
    {
        using var interrupt = new CancellationTokenSource();
        using var signals = new InterruptSignals(interrupt);
        var host = await BenchHost.StartAsync(configuration, interrupt.Token).ConfigureAwait(false);
        await using var hostEnd = host.ConfigureAwait(false);

        var (objectives, step) = (search.Objectives, search.Step);
        var probe = await MeasureAsync(configuration with { InFlight = ProbeInFlight, Duration = step }).ConfigureAwait(false);
        output.WriteLines(CapacitySummary.Heading(probe, objectives));
        var runs = new List<BenchOutcome>();
        var capacity = new CapacitySearch(
            objectives, search.Precision, step, MeasureStepAsync, tried => output.Text.WriteLine(CapacitySummary.StepLine(tried, objectives)), search.MaxLag);
        var answer = await capacity.RunAsync(probe.Rate).ConfigureAwait(false);
        var result = new CapacityResult(configuration, search, probe, answer, runs);
        var file = CapacityFile.Of(result);
        await output.WriteAsync(file, Report, CsvReport.Of, PrometheusReport.Of, CapacityPage.Of).ConfigureAwait(false);
        return result.ExitCode;

        void Report() => output.WriteLines(
            [.. CapacitySummary.Lines(result, capacity.MinRate), "", .. EnvironmentLines.Origin(file.Environment)]);

        async Task<StepMeasurement> MeasureStepAsync(double rate, TimeSpan duration)
        {
            // A second's worth of open calls fails any objective, and the run must wait for them.
            int maxOpen = (int)Math.Clamp(rate, 1_000 + configuration.Connections, BenchConfiguration.DefaultMaxOpen);
            var outcome = await MeasureAsync(configuration with
            {
                Rate = rate,
                MaxOpen = maxOpen,
                MaxLag = search.MaxLag ?? configuration.MaxLag,
                Warmup = step * WarmupShare,
                Duration = duration,
            }).ConfigureAwait(false);
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
