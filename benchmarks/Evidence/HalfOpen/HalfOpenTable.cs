using System.Diagnostics;
using Evidence.Fleets;
using Evidence.Statistics;

namespace Evidence.HalfOpen;

/// <summary>How soon both sides notice that the cable between them is gone, while the one waits, calls, or is idle.</summary>
internal static class HalfOpenTable
{
    private const int KeepAlive = 1_500, KeepAliveTimeout = 1_000; // ms, of both sides: a server pings idle clients no more often than every 1.25 s
    private const double Allowance = 250; // ms: time is looked at every 100 ms at each step, and a thread has to run
    private const double Goal = KeepAlive + KeepAliveTimeout + Allowance;
    private const double Healed = 1_500; // ms: dials that are not answered are repeated every second

    public static async Task<int> RunAsync(CommandLine options)
    {
        int rounds = options.Count("--rounds", 5, 1, 100);
        using var host = IsolatedHost.TryCreate(out var reason);
        if (host is null)
        {
            Console.WriteLine($"not run: {reason}");
            return Skipped;
        }

        Console.WriteLine($"{Machine.Describe()}; the server in a network namespace behind a veth pair, whose far end goes down; keep-alive {KeepAlive} ms and timeout {KeepAliveTimeout} ms at both sides; {rounds} rounds");
        Console.WriteLine();
        Console.WriteLine("| noticed by | ms: median, worst | goal | |");
        Console.WriteLine("|---|---|---|---|");
        var waiting = new List<double>();
        var calling = new List<double>();
        var idle = new List<double>();
        var serving = new List<double>();
        var healed = new List<double>();
        using var server = new FleetServer(0, ["--keep-alive", $"{KeepAlive}", "--keep-alive-timeout", $"{KeepAliveTimeout}"], host.Address, host.Enter);
        for (int round = 0; round < rounds; round++)
        {
            await using var channels = new CutChannels(server, KeepAlive, KeepAliveTimeout);
            await channels.OpenAsync();
            await Task.Delay(KeepAlive / 2 + round * KeepAlive / rounds); // somewhere between two PINGs
            host.PullCable();
            long cut = Stopwatch.GetTimestamp();
            var lost = Task.Run(() => channels.CountsNone(server));
            waiting.Add(await channels.WaitingEndsAsync(cut));
            calling.Add(await channels.CallingFailsAsync(cut));
            serving.Add(Milliseconds(cut, await lost));
            idle.Add(await channels.IdleFailsAsync());
            host.PlugCable();
            healed.Add(await channels.RecoverAsync());
        }

        bool isMet = Write("a client with a call that waits", waiting, Goal);
        isMet &= Write("a client that calls on and on", calling, Goal);
        isMet &= Write("a client that was idle, from its next call on", idle, Goal);
        isMet &= Write("the server: no connection is left", serving, Goal);
        isMet &= Write("served again, after the cable is back", healed, Healed);
        return isMet ? 0 : 1;
    }

    /// <summary>The exit code of a program that this machine cannot run.</summary>
    public const int Skipped = 3;

    internal static double Milliseconds(long from, long to) => Stopwatch.GetElapsedTime(from, to).TotalMilliseconds;

    private static bool Write(string what, List<double> values, double goal)
    {
        bool isMet = values.Max() <= goal;
        Console.WriteLine($"| {what} | {Estimate.MedianOf(values):F0}, {values.Max():F0} | <= {goal:F0} | {Verdict.Of(isMet)} |");
        return isMet;
    }
}
