using System.Diagnostics;
using System.Globalization;
using Evidence.Programs;
using Evidence.Serving;
using Evidence.Statistics;
using Seeds.Contracts;
using Seeds.Load;

namespace Evidence.Peering;

/// <summary>Calls of a server to its clients beside calls of a client to its server, in turns: the same method, the same processes, the same number of connections.</summary>
internal static class PeerTable
{
    private const int Connections = 10, CallersOfEach = 200;
    private const double LeastRate = 0.95, MostDelay = 1.1;

    public static async Task<int> RunAsync(CommandLine options)
    {
        int rounds = options.Count("--rounds", 7, 1, 100);
        var timing = new Timing(options.Seconds("--seconds", 2), options.Seconds("--warmup", 1));
        using var load = NicedLoad.Start(options.Count("--beside", 0, 0, 64));
        Console.WriteLine($"{Machine.Describe()}; {load.Describe()}; {rounds} rounds, {timing.Seconds} s after {timing.Warmup} s of warm-up; the two sides are two processes");
        Console.WriteLine();
        Console.WriteLine("| | client to server | server to client | ratio of each round, median | goal | |");
        Console.WriteLine("|---|---|---|---|---|---|");
        var transport = EngineChoice.Transport(EngineChoice.All[0]);
        await using var own = new MuxServer(new MuxServerOptions { Address = "mux://127.0.0.1:0", Transport = transport });
        own.Start();
        string address = own.Address.ToString(), count = Connections.ToString(CultureInfo.InvariantCulture);
        using var other = RunningServer.Start(BuiltProgram.Self, ["serve-peers", address, count]);
        var channels = Enumerable.Range(0, Connections).Select(_ => MuxChannel.Create(new MuxChannelOptions { Address = other.AddressOf(), MaxConnections = 1, Transport = transport })).ToArray();
        IDirectory[] forward = [.. channels.Select(channel => channel.CreateProxy<IDirectory>())], back = [.. own.Peers.Select(peer => peer.Get<IDirectory>())];
        if (back.Length != Connections) throw new EvidenceException($"The server has {back.Length} clients, and not {Connections}.");

        var (there, here) = await CompareAsync(rounds, () => RateAsync(forward, timing), () => RateAsync(back, timing));
        bool isFast = Print($"{Connections} x {CallersOfEach}, calls/s", there, here, "N0", ratio => ratio >= LeastRate, $">= {LeastRate}");
        (there, here) = await CompareAsync(rounds, () => DelayAsync(forward[0], timing), () => DelayAsync(back[0], timing));
        bool isPrompt = Print("1 x 1, p50 in us", there, here, "F1", ratio => ratio <= MostDelay, $"<= {MostDelay}");
        foreach (var channel in channels) await channel.DisposeAsync();
        return isFast && isPrompt ? 0 : 1;
    }

    private static async Task<(List<double> There, List<double> Here)> CompareAsync(int rounds, Func<Task<double>> there, Func<Task<double>> here)
    {
        var (first, second) = (new List<double>(), new List<double>());
        for (int round = 0; round < rounds; round++)
        {
            // Which of them comes first changes: what the machine does to the second is in both.
            if (round % 2 == 0) first.Add(await there());
            second.Add(await here());
            if (round % 2 == 1) first.Add(await there());
        }

        return (first, second);
    }

    private static bool Print(string name, List<double> there, List<double> here, string format, Func<double, bool> isMet, string goal)
    {
        var ratio = Estimate.Of([.. here.Zip(there, static (one, other) => one / other)]);
        string one = Estimate.MedianOf(there).ToString(format, CultureInfo.InvariantCulture), other = Estimate.MedianOf(here).ToString(format, CultureInfo.InvariantCulture);
        Console.WriteLine($"| {name} | {one} | {other} | {ratio.ToString("F3")} | {goal} | {Verdict.Of(isMet(ratio.Median))} |");
        return isMet(ratio.Median);
    }

    private static async Task<double> RateAsync(IDirectory[] directories, Timing timing)
    {
        var loop = new CallLoop<Employee>(directories.Length * CallersOfEach, caller => directories[caller % directories.Length].SearchAsync(new SearchEmployee { Id = 1, RequestTime = caller + 1 }));
        await loop.MeasureAsync(TimeSpan.FromSeconds(timing.Warmup));
        double rate = await loop.MeasureAsync(TimeSpan.FromSeconds(timing.Seconds));
        await loop.StopAsync();
        return rate;
    }

    private static async Task<double> DelayAsync(IDirectory directory, Timing timing)
    {
        var delays = new List<double>();
        long start = Stopwatch.GetTimestamp();
        var end = TimeSpan.FromSeconds(timing.Warmup + timing.Seconds);
        while (Stopwatch.GetElapsedTime(start) is var elapsed && elapsed < end)
        {
            long begun = Stopwatch.GetTimestamp();
            await directory.SearchAsync(new SearchEmployee { Id = 1, RequestTime = begun });
            if (elapsed.TotalSeconds >= timing.Warmup) delays.Add(Stopwatch.GetElapsedTime(begun).TotalMicroseconds);
        }

        return Quantile.Of(delays, 0.5);
    }
}
