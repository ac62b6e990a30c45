using System.CommandLine;
using Mux.Tool.Load;

namespace Mux.Tool.Commands;

/// <summary>The command line of <c>mux bench</c>.</summary>
internal static class BenchCommand
{
    // What a default server takes per connection; calls beyond it would wait in the client and measure that.
    public const int LargestInFlight = 16_384;

    // A p99.9 of 50,000 calls needs that many timed ones.
    private const int LargestTimeEvery = 1_000;

    private const int LargestTokens = 1_000_000;

    public static Command Create()
    {
        var inFlight = CheckedOption.Number("--in-flight", 200, 1, LargestInFlight, "Closed loop: calls open at a time on each connection");
        var timeEvery = CheckedOption.Number("--time-every", 1, 1, LargestTimeEvery, "Closed loop: time one call in N; reading the clock for each costs some 40 ns of CPU");
        var rate = CheckedOption.Parsed<CallRate>(
            "--rate", "RATE", CallRate.TryParse, CallRate.Expected, "Open loop: calls per second on a fixed schedule, such as 500, 20k or 1.5m");
        var maxOpen = CheckedOption.Number(
            "--max-open", BenchConfiguration.DefaultMaxOpen, 1, LargestTokens, "Open loop: calls that may be open at a time; those beyond are dropped and counted");
        var maxLag = CheckedOption.Time(
            "--max-lag", BenchConfiguration.DefaultMaxLag, TimeSpan.FromMicroseconds(1), TimeSpan.FromSeconds(10), "Open loop: how late 99 % of the calls must be made for a valid run");
        var duration = CheckedOption.Time("--duration", TimeSpan.FromSeconds(10), TimeSpan.FromMilliseconds(100), TimeSpan.FromHours(24), "How long to measure, such as 500ms, 10s or 2m");
        var warmup = CheckedOption.Time("--warmup", TimeSpan.FromSeconds(5), TimeSpan.Zero, TimeSpan.FromHours(1), "How long to load before that");
        var repeat = CheckedOption.Number("--repeat", 1, 1, 100, "Runs, one after another, each with a new server of its own");
        var json = CheckedOption.OutputFile("--json", "Write the result to this file as well (schema mux.bench/1)");
        var html = CheckedOption.OutputFile("--html", "Write a page with charts to this file as well");
        var quiet = new Option<bool>("--quiet") { Description = "Show no progress, only the summary" };

        var load = new LoadOptions();
        var command = new Command("bench", "Calls a server, checks every reply and measures: as fast as it answers (a closed loop), or at a --rate (an open loop).");
        load.AddTo(command);
        foreach (var option in (Option[])[inFlight, timeEvery, rate, maxOpen, maxLag, duration, warmup, repeat, json, html, quiet]) command.Options.Add(option);
        command.SetAction((result, _) =>
        {
            var configuration = load.Read(result) with
            {
                InFlight = result.GetValue(inFlight),
                TimeEvery = result.GetValue(timeEvery),
                Rate = result.GetValue(rate)?.PerSecond,
                MaxOpen = result.GetValue(maxOpen),
                MaxLag = result.GetValue(maxLag).Value,
                Warmup = result.GetValue(warmup).Value,
                Duration = result.GetValue(duration).Value,
            };
            bool IsGiven(Option option) => result.GetResult(option) is { Implicit: false };
            if (configuration.Rate is null)
            {
                if (IsGiven(maxOpen) || IsGiven(maxLag)) throw LoadOptions.Wrong($"{(IsGiven(maxOpen) ? maxOpen.Name : maxLag.Name)} applies to an open loop only: give a --rate.");
                if (configuration.Tokens > LargestTokens) throw LoadOptions.Wrong($"--connections times --in-flight is {configuration.Tokens}: expected up to {LargestTokens}.");
            }
            else
            {
                if (IsGiven(timeEvery)) throw LoadOptions.Wrong("--time-every applies to a closed loop only: with a --rate all calls are timed.");
                if (IsGiven(inFlight)) throw LoadOptions.Wrong("--in-flight applies to a closed loop only: with a --rate calls are open as long as they take, up to --max-open.");
                if (configuration.MaxOpen < configuration.Connections) throw LoadOptions.Wrong($"--max-open {configuration.MaxOpen}: expected at least one for each of the {configuration.Connections} connections.");
                configuration = configuration with { MaxOpen = (int)Math.Min(configuration.MaxOpen, (long)LargestInFlight * configuration.Connections) };
            }

            return BenchSession.RunAsync(configuration, result.GetValue(repeat), result.GetValue(json), result.GetValue(html), result.GetValue(quiet));
        });
        return command;
    }
}
