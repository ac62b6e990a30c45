using System.CommandLine;
using Mux.Tool.Load;
using Mux.Tool.Workloads;

namespace Mux.Tool.Commands;

/// <summary>The command line of <c>mux bench</c>.</summary>
internal static class BenchCommand
{
    private const int DefaultSize = 64;

    // The largest that a default server takes: 65,536 bytes per frame, less the heads of request and field.
    private const int LargestSize = 65_000;

    // What a default server takes per connection; calls beyond it would wait in the client and measure that.
    private const int LargestInFlight = 16_384;

    private const int LargestTokens = 1_000_000;

    public static Command Create()
    {
        var target = new Argument<MuxAddress?>("TARGET")
        {
            Description = "The server: mux://host:port or mux+unix:///path. Without it the bench starts a server process of its own",
            Arity = ArgumentArity.ZeroOrOne,
            CustomParser = result => CheckedOption.Address(result, "TARGET"),
        };
        var workload = CheckedOption.Choice("--workload", Workload.Employee, "What is called");
        var connections = CheckedOption.Number("--connections", 10, 1, 1024, "Connections");
        var inFlight = CheckedOption.Number("--in-flight", 200, 1, LargestInFlight, "Calls open at a time on each connection");
        var size = CheckedOption.Number("--size", DefaultSize, 0, LargestSize, "Bytes of an echo");
        var duration = CheckedOption.Time("--duration", TimeSpan.FromSeconds(10), TimeSpan.FromMilliseconds(100), TimeSpan.FromHours(24), "How long to measure, such as 500ms, 10s or 2m");
        var warmup = CheckedOption.Time("--warmup", TimeSpan.FromSeconds(5), TimeSpan.Zero, TimeSpan.FromHours(1), "How long to load before that");
        var json = new Option<string?>("--json") { Description = "Write the result to this file as well (schema mux.bench/1)", HelpName = "FILE" };
        var congestion = CheckedOption.Congestion("the bench's connections and its own server's");
        var quiet = new Option<bool>("--quiet") { Description = "Show no progress, only the summary" };

        var command = new Command("bench", "Calls a server as fast as it answers (a closed loop), checks every reply and measures.")
        {
            target, workload, connections, inFlight, size, duration, warmup, json, congestion, quiet,
        };
        command.SetAction((result, _) =>
        {
            var configuration = new BenchConfiguration
            {
                Target = result.GetValue(target),
                Workload = result.Chosen<Workload>(workload),
                Size = result.Chosen<Workload>(workload) == Workload.Echo ? result.GetValue(size) : null,
                Connections = result.GetValue(connections),
                InFlight = result.GetValue(inFlight),
                Warmup = result.GetValue(warmup).Value,
                Duration = result.GetValue(duration).Value,
                CongestionControl = result.GetValue(congestion),
            };
            CheckTogether(configuration, sizeIsGiven: result.GetResult(size) is { Implicit: false });
            return BenchSession.RunAsync(configuration, result.GetValue(json), result.GetValue(quiet));
        });
        return command;
    }

    /// <summary>What no option can check by itself.</summary>
    private static void CheckTogether(BenchConfiguration configuration, bool sizeIsGiven)
    {
        if (sizeIsGiven && configuration.Size is null) throw Wrong("--size applies to --workload echo only.");
        if (configuration.Tokens > LargestTokens) throw Wrong($"--connections times --in-flight is {configuration.Tokens}: expected up to {LargestTokens}.");
        if (configuration.Target is not { } target) return;
        if (target is { Scheme: MuxAddress.TcpScheme, Port: 0 }) throw Wrong($"TARGET: '{target}' has port 0: expected 1 to 65535.");
        if (target.Scheme != MuxAddress.TcpScheme && configuration.CongestionControl is not null) throw Wrong("--congestion applies to TCP addresses only.");
    }

    private static ToolException Wrong(string message) => new(ExitCode.Usage, message);
}
