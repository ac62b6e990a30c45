using System.Diagnostics;
using Evidence.Programs;
using Evidence.Statistics;

namespace Evidence.Recovery;

/// <summary>How long callers wait for a server that is back, by how long it was away, over how many connections, and by whether dials were refused or not answered meanwhile.</summary>
internal static class RecoveryTable
{
    private static readonly int[] s_connections = [1, 4, 16];
    private static readonly double[] s_away = [0.3, 1, 5, 15];
    private static readonly TimeSpan s_healthy = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan s_patience = TimeSpan.FromMinutes(1);

    public static async Task<int> RunAsync(CommandLine options)
    {
        int rounds = options.Count("--rounds", 5, 1, 100);
        using var load = NicedLoad.Start(options.Count("--beside", 0, 0, 64));
        int allowance = load.Count == 0 ? 1 : 3;
        Console.WriteLine($"{Machine.Describe()}; {load.Describe()}; {RecoveringChannel.Callers} callers per channel, {rounds} rounds; ms from the server's return until every caller is served");
        Console.WriteLine();
        Console.WriteLine("| dials meanwhile | away, s | connections | median | worst | goal |");
        Console.WriteLine("|---|---|---|---|---|---|");
        bool isMet = true;
        foreach (bool isSilent in (bool[])[false, true])
        {
            foreach (double away in s_away) isMet &= await MeasureAsync(isSilent, away, rounds, allowance);
        }

        Console.WriteLine();
        Console.WriteLine(isMet ? "goals: met" : "goals: NOT MET");
        return isMet ? 0 : 1;
    }

    /// <summary>Dials that are not answered are repeated every second: the server returns at any time between two.</summary>
    private static TimeSpan Absence(bool isSilent, double away, int round, int rounds) => TimeSpan.FromSeconds(away + (isSilent ? (double)round / rounds : 0));

    private static double Goal(bool isSilent, double away) => isSilent ? 1_500 : away <= 5 ? 250 : 1_200;

    /// <summary>The channels live through the same rounds, each with a back-off of its own.</summary>
    private static async Task<bool> MeasureAsync(bool isSilent, double away, int rounds, int allowance)
    {
        var server = PresenceServer.Prepare(port: 0);
        int port = server.Listen();
        var channels = s_connections.Select(connections => new RecoveringChannel(port, connections)).ToList();
        var waits = channels.Select(_ => new List<double>()).ToList();
        try
        {
            for (int round = 0; round < rounds; round++)
            {
                await AllServedAsync(channels);
                var next = PresenceServer.Prepare(port);
                await Task.Delay(s_healthy);
                server.Dispose();
                server = next;
                foreach (var channel in channels) channel.Expect();
                long left = Stopwatch.GetTimestamp();
                using (isSilent ? new SilentHost(port) : null) await Task.Delay(Absence(isSilent, away, round, rounds) - Stopwatch.GetElapsedTime(left));
                server.Listen();
                long back = Stopwatch.GetTimestamp();
                await AllServedAsync(channels);
                for (int i = 0; i < channels.Count; i++) waits[i].Add(Math.Max(0, Stopwatch.GetElapsedTime(back, channels[i].ServedAt).TotalMilliseconds));
            }
        }
        finally
        {
            foreach (var channel in channels) await channel.DisposeAsync();
            server.Dispose();
        }

        double goal = allowance * Goal(isSilent, away);
        bool isMet = true;
        for (int i = 0; i < channels.Count; i++)
        {
            double median = Estimate.MedianOf(waits[i]), worst = waits[i].Max(); // every caller of every round has the goal, so the worst is judged
            isMet &= worst <= goal;
            Console.WriteLine($"| {(isSilent ? "not answered" : "refused")} | {away}{(isSilent ? " to " + (away + 1) : string.Empty)} | {channels[i].Connections} | {median:F0} | {worst:F0} | {goal:F0}{(worst <= goal ? string.Empty : ", NOT MET")} |");
        }

        return isMet;
    }

    private static async Task AllServedAsync(List<RecoveringChannel> channels)
    {
        try
        {
            await Task.WhenAll(channels.Select(channel => channel.AllServed)).WaitAsync(s_patience);
        }
        catch (TimeoutException)
        {
            throw new EvidenceException($"Callers were not served within {s_patience.TotalSeconds:F0} s of the server's return.");
        }
    }
}
