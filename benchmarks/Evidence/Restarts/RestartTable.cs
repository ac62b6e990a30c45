using System.Diagnostics;
using Evidence.Programs;
using Evidence.Statistics;

namespace Evidence.Restarts;

/// <summary>Three servers, one client of all of them: what its callers notice while servers are stopped in order, or killed, one after the other.</summary>
internal static class RestartTable
{
    private const int Servers = 3;
    private const int Callers = 50;
    private const double LongestDeath = 250; // ms from a kill until the last call has failed by it

    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(100);

    /// <returns>The exit code: 0 if all goals are met.</returns>
    public static async Task<int> RunAsync(CommandLine options)
    {
        int restarts = options.Count("--restarts", 100, 1, 10_000), kills = options.Count("--kills", 100, 1, 10_000);
        using var load = NicedLoad.Start(options.Count("--beside", 0, 0, 64));
        Console.WriteLine($"{Machine.Describe()}; {load.Describe()}; {Servers} servers, one channel with a list of their addresses, {Callers} callers; no method is idempotent");
        Console.WriteLine();
        Console.WriteLine("| what | times | calls answered | calls failed | longest call, ms | last failure after a kill, ms: median, worst | verdicts against the servers' log | goal | |");
        Console.WriteLine("|---|---|---|---|---|---|---|---|---|");
        bool areStopsMet = await MeasureAsync("stopped and started again", restarts, isKill: false, allowance: load.Count == 0 ? 1 : 3);
        bool areKillsMet = await MeasureAsync("killed and started again", kills, isKill: true, allowance: load.Count == 0 ? 1 : 3);
        return areStopsMet && areKillsMet ? 0 : 1;
    }

    private static async Task<bool> MeasureAsync(string what, int times, bool isKill, int allowance)
    {
        var path = Path.GetTempFileName();
        var servers = new List<LedgerServer>();
        try
        {
            for (int i = 0; i < Servers; i++) servers.Add(new LedgerServer(path));
            using var log = new ExecutionLog(path);
            await using var channel = await MuxChannel.ConnectAsync($"mux://{string.Join(',', servers.Select(server => $"127.0.0.1:{server.Port}"))}");
            await AllOpenAsync(channel);
            var callers = new LedgerCallers(channel.CreateProxy<ILedger>(), log, Callers);
            using var stop = new CancellationTokenSource();
            var running = callers.RunAsync(stop.Token);
            var deaths = new List<double>();
            for (int time = 0; time < times; time++)
            {
                var server = servers[time % Servers];
                await Task.Delay(s_pause);
                long killed = Stopwatch.GetTimestamp();
                if (isKill) await server.KillAsync();
                else await server.StopAsync();
                server.Start();
                await AllOpenAsync(channel);
                if (isKill) deaths.Add(callers.LastFailure > killed ? Stopwatch.GetElapsedTime(killed, callers.LastFailure).TotalMilliseconds : 0);
            }

            await stop.CancelAsync();
            await running;
            bool isMet = callers.Untrue.Count == 0 && (isKill ? deaths.Max() <= allowance * LongestDeath : callers.Failed == 0);
            string afterKill = isKill ? $"{Estimate.MedianOf(deaths):F0}, {deaths.Max():F0}" : "-";
            string goal = isKill ? $"<= {allowance * LongestDeath} ms, no verdict is wrong" : "no call fails";
            Console.WriteLine($"| {what} | {times} | {callers.Answered:N0} | {callers.Failures} | {callers.LongestMilliseconds:F1} | {afterKill} | {callers.Untrue.Count} wrong | {goal} | {Verdict.Of(isMet)} |");
            foreach (var untrue in callers.Untrue.Take(5)) Console.WriteLine($"  {untrue}");
            return isMet;
        }
        finally
        {
            foreach (var server in servers) server.Dispose();
            File.Delete(path);
        }
    }

    private static async Task AllOpenAsync(MuxChannel channel)
    {
        long start = Stopwatch.GetTimestamp();
        while (!channel.GetEndpoints().All(endpoint => endpoint.IsOpen))
        {
            if (Stopwatch.GetElapsedTime(start) > TimeSpan.FromSeconds(30)) throw new EvidenceException("The channel did not connect to all servers within 30 s.");
            await Task.Delay(5);
        }
    }
}
