using System.CommandLine;
using Mux.Tool.Load;
using Mux.Tool.Reporting;
using Mux.Tool.Workloads;

namespace Mux.Tool.Commands;

/// <summary>The command line of <c>mux bench</c>.</summary>
internal static class BenchCommand
{
    private static readonly TimeSpan s_longest = TimeSpan.FromHours(24);

    public static Command Create()
    {
        var duration = CheckedOption.Time(
            "--duration", TimeSpan.FromSeconds(10), TimeSpan.FromMilliseconds(100), s_longest,
            "Duration of the measurement, such as 500ms, 10s or 2m", "-z");
        var calls = CheckedOption.Parsed<CallCount>(
            "--calls", "N", CallCount.TryParse, CallCount.Expected,
            "End after so many calls, not counting the warm-up (1 to 1000m); without a --duration, however long they take", "-n");
        var warmup = CheckedOption.Time(
            "--warmup", TimeSpan.FromSeconds(5), TimeSpan.Zero, TimeSpan.FromHours(1),
            "Duration of the warm-up before it; none of a METHOD with --calls, unless it is given");
        var repeat =
            CheckedOption.Number("--repeat", 1, 1, 100, "Number of runs, one after another, each with a new server");
        var churn = CheckedOption.Parsed<ConnectRate>(
            "--churn", "RATE", ConnectRate.TryParse, ConnectRate.Expected,
            "Connections per second that are replaced under load, one after the other: dialed, then used, then the one before is closed (0.01 to 10k)");
        var json = CheckedOption.OutputFile("--json", "Write the result to this file as well (schema mux.bench/1)");
        var html = CheckedOption.OutputFile("--html", "Write a page with charts to this file as well");
        var quiet = new Option<bool>("--quiet") { Description = "Show no progress, only the summary" };

        var histogram = new Option<bool>("--histogram")
        {
            Description = "Print a histogram of the latencies after the summary",
        };
        var objectives = ObjectivesOption.Create(
            "Objectives that the run has to meet: the exit code is 99 if it does not", isRequired: false);
        var output = ResultOutput.FormatOption();

        var load = new LoadOptions();
        var loop = new LoopOptions();
        var workload = new WorkloadOptions();
        var method = new MethodOptions();
        var command = new ToolCommand("bench",
            "Calls a server and measures: as fast as it answers (a closed loop), or at a --rate (an open loop). It calls a METHOD of any service, or the " +
            "workloads of 'mux serve', of which it checks every reply. For a METHOD the server needs the package Mux.Reflection, unless there is a file " +
            "of contracts.")
        {
            Examples =
            [
                new("mux bench", "Ten connections with 200 calls each, to a server of its own"),
                new("mux bench -c 1 --in-flight 1 -z 30s", "One call after another for 30 seconds"),
                new("mux bench -n 1m --warmup 0ms", "A million calls, the first ones of cold processes included"),
                new("mux bench mux://10.0.0.7:7070 shop.Orders/Find -d '{\"id\":7}'",
                    "A method of your service, 50 calls at a time"),
                new("mux bench mux://10.0.0.7:7070 shop.Orders/Find -d @ids.ndjson -r 2k",
                    "Its requests in turn, 2,000 calls/s"),
                new("mux bench -r 20k mux://10.0.0.7:7070", "20,000 calls/s to a 'mux serve' on another machine"),
                new("mux bench -r 5k --slo \"p99<2ms\" --quiet",
                    "Fails with exit code 99 if 1 % of the calls take 2 ms or more"),
                new("mux bench -z 3s --quiet -o csv", "Figures for a program; the summary goes to the standard error stream"),
                new("mux bench mux://10.0.0.7:7070,10.0.0.8:7070", "Two servers: the share and latency of each"),
                new("mux bench --churn 20", "Replaces 20 connections per second under load"),
                new("mux bench --repeat 5 --json a.json", "Five runs, for 'mux compare a.json b.json'"),
            ],
        };
        load.AddTo(command);
        method.AddTo(command);
        workload.AddTo(command);
        loop.AddTo(command);
        command.Add(OptionGroup.Load, duration, calls, warmup, repeat, churn);
        command.Add(OptionGroup.Results, objectives, output, histogram, json, html, quiet);
        command.SetAction((result, _) =>
        {
            var configuration = loop.Read(result, workload.Read(result, load.Read(result, method.IsGiven(result)))) with
            {
                Warmup = result.GetValue(warmup).Value,
                Duration = result.GetValue(duration).Value,
                Objectives = result.GetValue(objectives),
                ChurnRate = result.GetValue(churn)?.PerSecond,
            };
            if (configuration is { ChurnRate: not null, Traits.IsCallsAlone: false })
            {
                throw LoadOptions.NotFor(churn.Name, configuration.Workload, traits => traits.IsCallsAlone);
            }

            if (result.GetValue(calls) is { } count)
            {
                configuration = WithCalls(configuration, count.Value, hasDuration: result.IsGiven(duration));
                // A call may have an effect, so no others are made than those that were asked for.
                if (configuration.Workload == Workload.Method && !result.IsGiven(warmup))
                    configuration = configuration with { Warmup = TimeSpan.Zero };
            }

            WorkloadOptions.CheckBulk(configuration);
            return RunAsync(
                method.FindAsync(result, configuration), result.GetValue(repeat), result.Chosen<OutputFormat>(output),
                result.GetValue(json), result.GetValue(html), result.GetValue(quiet), result.GetValue(histogram));
        });
        return command;
    }

    private static async Task<int> RunAsync(
        Task<BenchConfiguration> configuration, int repeat, OutputFormat format, string? json, string? html,
        bool isQuiet, bool hasHistogram)
    {
        // Ahead of the files, which a wrong name shall leave as they are.
        var found = await configuration.ConfigureAwait(false);
        var output = ResultOutput.Open(format, json, html);
        await using var outputEnd = output.ConfigureAwait(false);
        return await new BenchSession(found, output, isQuiet, hasHistogram).RunAsync(repeat).ConfigureAwait(false);
    }

    private static BenchConfiguration WithCalls(BenchConfiguration configuration, long calls, bool hasDuration)
    {
        if (!configuration.Traits.IsCallsAlone)
            throw LoadOptions.NotFor("--calls", configuration.Workload, traits => traits.IsCallsAlone);
        var longest = hasDuration ? configuration.Duration : s_longest;
        if (configuration.Rate is { } rate && calls / rate < longest.TotalSeconds)
            longest = TimeSpan.FromSeconds(calls / rate);
        return configuration with { Calls = calls, Duration = longest };
    }
}
