using Evidence.Programs;
using Evidence.Serving;
using Evidence.Statistics;

namespace Evidence.Callers;

/// <summary>
/// The flush policy off the loops: callers that go on on the thread pool and share one connection, so that each call is sent from a thread of the pool. Once with nothing between
/// two calls, and once with 20 us of work, as a web application has.
/// </summary>
internal static class CallerTable
{
    private static readonly int[] s_callers = [1, 8, 64];
    private static readonly TimeSpan[] s_works = [TimeSpan.Zero, TimeSpan.FromMicroseconds(20)];

    public static async Task RunAsync(CommandLine options)
    {
        int rounds = options.Count("--rounds", 5, 1, 100);
        var duration = TimeSpan.FromSeconds(options.Seconds("--seconds", 3));
        Console.WriteLine($"{Machine.Describe()}, one connection, MuxDispatchMode.Pool at the client, medians of {rounds} rounds of {duration.TotalSeconds} s");
        Console.WriteLine();
        Console.WriteLine("| engine | callers | between calls | calls/s | calls per send, client | p50, us | p99, us |");
        Console.WriteLine("|---|---|---|---|---|---|---|");
        foreach (var work in s_works)
        {
            foreach (int callers in s_callers)
            {
                var figures = EngineChoice.All.ToDictionary(engine => engine, _ => new List<CallerFigures>());
                for (int round = 0; round < rounds; round++)
                {
                    foreach (var (engine, list) in figures) list.Add(await MeasureAsync(engine, callers, work, duration));
                }

                foreach (var (engine, list) in figures) Write(engine, callers, work, list);
            }
        }
    }

    private static async Task<CallerFigures> MeasureAsync(string engine, int callers, TimeSpan work, TimeSpan duration)
    {
        using var server = RunningServer.Start(BuiltProgram.Self, ["serve", "--engine", engine]);
        await using var channel = MuxChannel.Create(new MuxChannelOptions { Address = server.AddressOf(), Transport = EngineChoice.Transport(engine), Dispatch = MuxDispatchMode.Pool });
        return await new PoolCallers(channel, callers, work).MeasureAsync(duration);
    }

    private static void Write(string engine, int callers, TimeSpan work, List<CallerFigures> rounds)
    {
        Console.WriteLine($"| {engine} | {callers} | {(work == TimeSpan.Zero ? "nothing" : $"{work.TotalMicroseconds} us")} | {Of(round => round.Rate):N0} | {Of(round => round.CallsPerSend):F2} | {Of(round => round.P50):F1} | {Of(round => round.P99):F1} |");

        double Of(Func<CallerFigures, double> figure) => Estimate.MedianOf(rounds.Select(figure));
    }
}
