using System.Diagnostics;
using System.Globalization;
using Evidence.Awaiting;
using Evidence.Programs;
using Evidence.Serving;
using Evidence.Statistics;
using Seeds.Contracts;
using Seeds.Load;

namespace Evidence.Delays;

/// <summary>
/// A network on which every byte takes 2.5 ms each way, played by <c>mux chaos</c>: one connection makes as many calls per round trip as are in flight, and more connections
/// gain nothing.
/// </summary>
internal static class DelayTable
{
    private const double Share = 0.95; // of calls in flight / round trip
    private const double Gain = 1.05; // of several connections, at most
    private const int Several = 4, Most = 256;

    private static readonly int[] s_inFlight = [1, 4, 16, 64, Most];

    public static async Task<int> RunAsync(CommandLine options)
    {
        int rounds = options.Count("--rounds", 5, 1, 100);
        var timing = new Timing(options.Seconds("--seconds", 2), options.Seconds("--warmup", 1));
        using var load = NicedLoad.Start(options.Count("--beside", 0, 0, 64));
        Console.WriteLine($"{Machine.Describe()}; {load.Describe()}; mux chaos --delay 2500us between client and server; {rounds} rounds of {timing.Seconds} s after {timing.Warmup} s of warm-up");
        Console.WriteLine();
        Console.WriteLine("| connections x in flight | round trip of a byte without Mux, ms | calls/s | of in flight / round trip | goal | |");
        Console.WriteLine("|---|---|---|---|---|---|");
        bool isMet = true;
        foreach (int inFlight in s_inFlight) isMet &= await MeasureAsync(inFlight, rounds, timing);
        isMet &= await CompareAsync(rounds, timing);
        return isMet ? 0 : 1;
    }

    private static async Task<bool> MeasureAsync(int inFlight, int rounds, Timing timing)
    {
        var runs = new List<(double Rate, double RoundTrip)>();
        for (int round = 0; round < rounds; round++) runs.Add(await RunAsync(1, inFlight, timing));
        var share = Estimate.Of([.. runs.Select(run => run.Rate * run.RoundTrip / inFlight)]);
        bool isMet = share.Median >= Share;
        double trip = Estimate.MedianOf(runs.Select(run => run.RoundTrip)) * 1_000, rate = Estimate.MedianOf(runs.Select(run => run.Rate));
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"| 1 x {inFlight} | {trip:F2} | {rate:N0} | {share.ToString("F3")} | >= {Share} | {Verdict.Of(isMet)} |"));
        return isMet;
    }

    private static async Task<bool> CompareAsync(int rounds, Timing timing)
    {
        var ratios = new List<double>();
        for (int round = 0; round < rounds; round++)
        {
            var (one, _) = await RunAsync(1, Most, timing);
            var (several, _) = await RunAsync(Several, Most, timing);
            ratios.Add(several / one);
        }

        var gain = Estimate.Of(ratios);
        bool isMet = gain.Median <= Gain;
        Console.WriteLine();
        Console.WriteLine($"{Most} calls in flight on {Several} connections to those on one: {gain.ToString("F3")}, goal <= {Gain}: {Verdict.Of(isMet)}");
        return isMet;
    }

    /// <returns>Calls per second, and the seconds that a byte took there and back meanwhile, through a second proxy: what else the machine does meets both.</returns>
    private static async Task<(double Rate, double RoundTrip)> RunAsync(int connections, int inFlight, Timing timing)
    {
        var engine = EngineChoice.All[0];
        using var server = RunningServer.Start(BuiltProgram.Self, ["serve", "--engine", engine]);
        using var network = StartNetwork(server);
        using var echo = RunningServer.Start(BuiltProgram.Self, ["serve-echo"]);
        using var echoNetwork = StartNetwork(echo);
        await using var clients = await Clients.ConnectAsync(network.AddressOf(), connections, EngineChoice.Transport(engine));
        var directories = clients.Proxies<IDirectory>();
        var loop = new CallLoop<Employee>(inFlight, caller => directories[caller % connections].SearchAsync(new SearchEmployee { Id = 1, RequestTime = caller + 1 }));
        var echoes = EchoAsync(new EchoSockets(echoNetwork.Port), TimeSpan.FromSeconds(timing.Warmup), TimeSpan.FromSeconds(timing.Seconds));
        await loop.MeasureAsync(TimeSpan.FromSeconds(timing.Warmup));
        double rate = await loop.MeasureAsync(TimeSpan.FromSeconds(timing.Seconds));
        await loop.StopAsync();
        return (rate, await echoes);
    }

    /// <returns>The mean of the round trips after the warm-up, in seconds: as calls per second are those of a mean.</returns>
    private static async Task<double> EchoAsync(EchoSockets sockets, TimeSpan warmup, TimeSpan time)
    {
        for (long begin = Stopwatch.GetTimestamp(); Stopwatch.GetElapsedTime(begin) < warmup;) await sockets.EchoAsync();
        int count = 0;
        long start = Stopwatch.GetTimestamp();
        for (; Stopwatch.GetElapsedTime(start) < time; count++) await sockets.EchoAsync();
        return Stopwatch.GetElapsedTime(start).TotalSeconds / count;
    }

    private static RunningServer StartNetwork(RunningServer server) =>
        RunningServer.Start(BuiltProgram.Tool, ["chaos", "127.0.0.1:0", $"127.0.0.1:{server.Port}", "--delay", "2500us", "--quiet", "--until-stdin-ends"]);
}
