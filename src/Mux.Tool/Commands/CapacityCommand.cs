using System.CommandLine;
using Mux.Tool.Capacity;
using Mux.Tool.Load;
using Mux.Tool.Reporting;
using Mux.Tool.Workloads;

namespace Mux.Tool.Commands;

/// <summary>The command line of <c>mux capacity</c>.</summary>
internal static class CapacityCommand
{
    private const double DefaultPrecision = 0.03;

    public static Command Create()
    {
        var objectives = ObjectivesOption.Create("Objectives", isRequired: true);
        var precision = CheckedOption.Share("--precision", DefaultPrecision, 0.005, 0.5, "Precision of the answer, such as 3%");
        var step = CheckedOption.Time(
            "--step", TimeSpan.FromSeconds(2), TimeSpan.FromMilliseconds(200), TimeSpan.FromMinutes(2),
            "Duration of a run; longer if percentiles need more replies");
        var maxLag = CheckedOption.Parsed<Duration>(
            "--max-lag", "TIME", IsLag, "1us to 10s",
            "The rate is judged although 99 % of the calls are made up to this late; with a longer lag the generator is the limit (1us to 10s) " +
            "[default: a tenth of the shortest limit of --slo]");
        var output = ResultOutput.FormatOption();
        var warmup = CheckedOption.Time("--warmup", TimeSpan.FromSeconds(3), TimeSpan.Zero, TimeSpan.FromHours(1), "Duration of the warm-up before the search");
        var json = CheckedOption.OutputFile("--json", "Write the result to this file as well (schema mux.capacity/1)");
        var html = CheckedOption.OutputFile("--html", "Write a page with charts to this file as well");

        var load = new LoadOptions(Workload.Employee, isGrid: false, LoadOptions.SmallCalls);
        var command = new ToolCommand("capacity",
            "Finds the highest rate at which a server holds objectives: ramp, bisection, confirmation, each rate decided " +
            "by the best two of three runs.")
        {
            Examples =
            [
                new("mux capacity --slo \"p99<2ms\"", "The highest rate with 99 % of the calls below 2 ms, and no failure"),
                new("mux capacity --slo \"p99.9<10ms,errors<0.1%\" mux://10.0.0.7:7070", "The same of a 'mux serve' on another machine, with some failures"),
            ],
        };
        command.Add(OptionGroup.Load, objectives);
        load.AddTo(command);
        command.Add(OptionGroup.Load, precision, step, maxLag, warmup);
        command.Add(OptionGroup.Results, output, json, html);
        command.SetAction((result, _) => RunAsync(
            load.Read(result) with { Warmup = result.GetValue(warmup).Value },
            new CapacityParameters(
                result.GetRequiredValue(objectives)!, result.GetValue(precision).Value, result.GetValue(step).Value, result.GetValue(maxLag)?.Value),
            result.Chosen<OutputFormat>(output),
            result.GetValue(json),
            result.GetValue(html)));
        return command;
    }

    private static async Task<int> RunAsync(BenchConfiguration configuration, CapacityParameters search, OutputFormat format, string? json, string? html)
    {
        var output = ResultOutput.Open(format, json, html);
        await using var outputEnd = output.ConfigureAwait(false);
        return await CapacitySession.RunAsync(configuration, search, output).ConfigureAwait(false);
    }

    private static bool IsLag(string text, out Duration lag) =>
        Duration.TryParse(text, out lag) && lag.Value >= TimeSpan.FromMicroseconds(1) && lag.Value <= TimeSpan.FromSeconds(10);
}
