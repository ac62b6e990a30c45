using Evidence.Programs;
using Evidence.Ratios;
using Evidence.Serving;
using Evidence.Statistics;
using Seeds.Contracts;
using Seeds.Load;

namespace Evidence.Links;

/// <summary>What links cost that are no sockets of an engine: TLS, streams, Kestrel, WebSockets. In every round each has its turn, so that all have the same minutes.</summary>
internal static class LinkTable
{
    private const double TlsGoal = 0.6;
    private const double LargeGoal = 0.7;
    private const double WebSocketGoal = 0.5;
    private const double KestrelGoal = 0.9;

    private static readonly Shape s_shape = new(10, 200);

    public static async Task RunAsync(CommandLine options)
    {
        int rounds = options.Count("--rounds", 7, 1, 1000);
        var timing = new Timing(options.Seconds("--seconds", 2), options.Seconds("--warmup", 2));
        Console.WriteLine($"{Machine.Describe()}, engine {EngineChoice.All[0]}.");
        Console.WriteLine($"{rounds} {(rounds == 1 ? "round" : "rounds")} of {timing.Seconds} s after {timing.Warmup} s of warm-up; medians, and of ratios the 95 % interval.");
        Console.WriteLine();
        var measured = new List<Round>();
        for (int round = 1; round <= rounds; round++)
        {
            Console.Error.WriteLine($"round {round} of {rounds}");
            measured.Add(await Round.MeasureAsync(timing));
        }

        Console.WriteLine(Row.Heading);
        foreach (var row in Rows(measured)) Console.WriteLine(row);
    }

    private static IEnumerable<Row> Rows(List<Round> rounds)
    {
        yield return Ratio("L1", "10x200 over TLS, to the same without", round => round.Tls.Rate, round => round.Plain.Rate, "calls/s", TlsGoal);
        yield return Ratio("L2", "1 MiB echo over TLS, 4 outstanding, to TLS alone", round => round.LargeTls.MegabytesPerSecond, round => round.BareTls, "MB/s each way", LargeGoal);
        yield return Ratio("L3", "10x200 over a WebSocket, to the portable engine", round => round.WebSocket, round => round.Portable, "calls/s", WebSocketGoal);
        yield return Ratio("L4", "10x200 over Kestrel's handler, to streams", round => round.Kestrel, round => round.Streams, "calls/s", KestrelGoal);
        yield return Ratio("L5", "10x200 over streams, to the portable engine", round => round.Streams, round => round.Portable, "calls/s", goal: null);

        Row Ratio(string id, string workload, Func<Round, double> figure, Func<Round, double> to, string unit, double? goal)
        {
            var ratio = Estimate.Of([.. rounds.Select(round => figure(round) / to(round))]);
            var text = $"{ratio.ToString("F3")}; {Estimate.MedianOf(rounds.Select(figure)):N0} and {Estimate.MedianOf(rounds.Select(to)):N0} {unit}";
            return new(id, workload, text, goal is null ? "for comparison" : $">= {goal}", goal is null || ratio.Median >= goal);
        }
    }

    /// <summary>One turn of everything.</summary>
    private sealed record Round(BenchFigures Plain, BenchFigures Tls, BenchFigures LargeTls, double BareTls, double Portable, double Streams, double Kestrel, double WebSocket)
    {
        // As in the rows of rates: a look at the clock for each call is a tenth of the client there.
        private static readonly string[] s_rarelyTimed = ["--time-every", "8"];

        public static async Task<Round> MeasureAsync(Timing timing) => new(
            MuxTool.Bench([.. s_shape.Arguments, .. s_rarelyTimed, .. timing.Arguments]),
            MuxTool.Bench(["--tls", .. s_shape.Arguments, .. s_rarelyTimed, .. timing.Arguments]),
            MuxTool.Bench(["--tls", "--workload", "bulk", .. timing.Arguments]),
            await Links.BareTls.MeasureAsync(timing),
            await CallAsync(LinkKind.Portable, timing),
            await CallAsync(LinkKind.Streams, timing),
            await CallAsync(LinkKind.Kestrel, timing),
            await CallAsync(LinkKind.WebSocket, timing));

        /// <summary>Calls per second of the same loop, whatever carries them.</summary>
        private static async Task<double> CallAsync(LinkKind kind, Timing timing)
        {
            using var server = RunningServer.Start(BuiltProgram.Self, ["serve-link", "--link", kind.ToString()]);
            await using var clients = await Clients.ConnectAsync(server.AddressOf(), s_shape.Connections, LinkSockets.ClientOf(kind));
            var directories = clients.Proxies<IDirectory>();
            var loop = new CallLoop<Employee>(s_shape.Connections * s_shape.InFlight, caller => directories[caller % s_shape.Connections].SearchAsync(new SearchEmployee { Id = 1, RequestTime = caller }));
            await Task.Delay(TimeSpan.FromSeconds(timing.Warmup));
            double rate = await loop.MeasureAsync(TimeSpan.FromSeconds(timing.Seconds));
            await loop.StopAsync();
            return rate;
        }
    }
}
