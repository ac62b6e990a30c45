using System.Globalization;
using Evidence.Cold;
using Evidence.Programs;
using Evidence.Serving;
using Evidence.Statistics;
using Seeds.Contracts;
using Seeds.Load;

namespace Evidence.Short;

/// <summary>What shared connections buy: calls per second of the same callers with them (the long mode) and with a connection for each call (the short mode), in turns.</summary>
internal static class ShortModeTable
{
    private const int Lone = 1, Several = 32;
    private const double Goal = 5;

    /// <summary>The shared channels of the comparison end their own connections: both sides end them at the same moment, and one of them may be the first.</summary>
    private const int MostInTimeWait = 10;

    public static async Task<int> RunAsync(CommandLine options)
    {
        int rounds = options.Count("--rounds", 7, 1, 100);
        var timing = new Timing(options.Seconds("--seconds", 2), options.Seconds("--warmup", 1));
        using var load = NicedLoad.Start(options.Count("--beside", 0, 0, 64));
        Console.WriteLine($"{Machine.Describe()}; {load.Describe()}; {rounds} rounds, {timing.Seconds} s after {timing.Warmup} s of warm-up; client and server are two processes; callers that await their replies, the call of mux bench");
        Console.WriteLine();
        Console.WriteLine("| callers | shared connections, calls/s | a connection for each call, calls/s | ratio of each round, median | goal | |");
        Console.WriteLine("|---|---|---|---|---|---|");
        using var server = RunningServer.Start(BuiltProgram.Self, ["serve", "--engine", EngineChoice.All[0]]);
        long calls = 0;
        bool isMet = true;
        foreach (int callers in (int[])[Lone, Several])
        {
            var together = new List<double>();
            var alone = new List<double>();
            for (int round = 0; round < rounds; round++)
            {
                together.Add((await MeasureAsync(server, MuxConnectionLifetime.Shared, callers, timing)).Rate);
                var (rate, made) = await MeasureAsync(server, MuxConnectionLifetime.PerCall, callers, timing);
                alone.Add(rate);
                calls += made;
            }

            var ratio = Estimate.Of([.. together.Zip(alone, static (one, other) => one / other)]);
            isMet &= ratio.Median >= Goal;
            Console.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"| {callers} | {Estimate.MedianOf(together):N0} | {Estimate.MedianOf(alone):N0} | {ratio.ToString("F1")} | >= {Goal} | {Verdict.Of(ratio.Median >= Goal)} |"));
        }

        var sockets = Sockets.Of(server.Port);
        bool isClean = sockets is { Established: 0, DialedTimeWait: <= MostInTimeWait };
        Console.WriteLine();
        Console.WriteLine($"After {calls:N0} calls with a connection each: {sockets.Established} sockets open, {sockets.DialedTimeWait} of the client in TIME_WAIT and {sockets.TimeWait - sockets.DialedTimeWait} of the server, "
            + $"goal 0, at most {MostInTimeWait} and any: {Verdict.Of(isClean)}");
        return isMet && isClean ? 0 : 1;
    }

    /// <returns>Calls per second, and all calls that were made. A call that fails ends the program.</returns>
    private static async Task<(double Rate, long Calls)> MeasureAsync(RunningServer server, MuxConnectionLifetime lifetime, int callers, Timing timing)
    {
        await using var channel = MuxChannel.Create(new MuxChannelOptions { Address = server.AddressOf(), Lifetime = lifetime, Transport = EngineChoice.Transport(EngineChoice.All[0]) });
        var directory = channel.CreateProxy<IDirectory>();
        var loop = new CallLoop<Employee>(callers, caller => directory.SearchAsync(new SearchEmployee { Id = 1, RequestTime = caller + 1 }));
        await loop.MeasureAsync(TimeSpan.FromSeconds(timing.Warmup));
        double rate = await loop.MeasureAsync(TimeSpan.FromSeconds(timing.Seconds));
        await loop.StopAsync();
        return (rate, loop.Count);
    }
}
