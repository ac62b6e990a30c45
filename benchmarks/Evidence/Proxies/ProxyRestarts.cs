using System.Diagnostics;
using Evidence.Restarts;
using Evidence.Statistics;

namespace Evidence.Proxies;

/// <summary>What callers behind a proxy notice of servers that are stopped and started in turns, and of the proxy's own end.</summary>
internal static class ProxyRestarts
{
    private const int Callers = 20;
    private const int Silence = 10_000; // ms that the proxies allow
    private const double Recovered = 250; // ms, as without a proxy

    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(300);
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(30);

    /// <summary>Two servers: a drain moves the clients to the other one through the proxy.</summary>
    public static async Task<bool> OfServersAsync(ProxyKind kind, int restarts)
    {
        var path = Path.GetTempFileName();
        var servers = new List<LedgerServer> { new(path), new(path) };
        try
        {
            using var log = new ExecutionLog(path);
            using var proxy = new RunningProxy(kind, servers.Select(server => server.Port), Silence);
            await using var channel = await MuxChannel.ConnectAsync(proxy.Address);
            var callers = new LedgerCallers(channel.CreateProxy<ILedger>(), log, Callers);
            using var stop = new CancellationTokenSource();
            var running = callers.RunAsync(stop.Token);
            for (int restart = 0; restart < restarts; restart++)
            {
                await Task.Delay(s_pause);
                await servers[restart % servers.Count].StopAsync();
                servers[restart % servers.Count].Start();
            }

            await Task.Delay(s_pause);
            await stop.CancelAsync();
            await running;
            return ProxyTable.Write(
                $"two servers, stopped and started in turns, {restarts} times, {Callers} callers",
                $"{callers.Answered:N0} calls answered, failed: {callers.Failures}; longest {callers.LongestMilliseconds:F0} ms; {callers.Untrue.Count} verdicts wrong",
                "no call fails",
                callers.Failed == 0 && callers.Untrue.Count == 0);
        }
        finally
        {
            foreach (var server in servers) server.Dispose();
            File.Delete(path);
        }
    }

    /// <summary>The proxy itself ends and starts again: calls fail with true verdicts, and callers are served again as soon as after a restart of a server.</summary>
    public static async Task<bool> OfProxyAsync(ProxyKind kind, int restarts)
    {
        var path = Path.GetTempFileName();
        using var server = new LedgerServer(path);
        try
        {
            using var log = new ExecutionLog(path);
            using var proxy = new RunningProxy(kind, [server.Port], Silence);
            var back = new List<double>();
            await using var channel = await MuxChannel.ConnectAsync(proxy.Address);
            var callers = new LedgerCallers(channel.CreateProxy<ILedger>(), log, Callers);
            using var stop = new CancellationTokenSource();
            var running = callers.RunAsync(stop.Token);
            for (int restart = 0; restart < restarts; restart++)
            {
                await Task.Delay(s_pause);
                proxy.Stop();
                await Task.Delay(s_pause);
                proxy.Start();
                long listens = Stopwatch.GetTimestamp();
                int answered = callers.Answered;
                while (callers.Answered == answered && Stopwatch.GetElapsedTime(listens) < s_patience) await Task.Delay(1);
                back.Add(Stopwatch.GetElapsedTime(listens).TotalMilliseconds);
            }

            await stop.CancelAsync();
            await running;
            return ProxyTable.Write(
                $"the proxy ends and starts again after {s_pause.TotalMilliseconds:F0} ms, {restarts} times, {Callers} callers",
                $"{callers.Answered:N0} calls answered, failed: {callers.Failures}; "
                + $"served again after {Estimate.MedianOf(back):F0} ms, at most {back.Max():F0}; {callers.Untrue.Count} verdicts wrong",
                $"within {Recovered:F0} ms, no verdict is wrong",
                back.Max() <= Recovered && callers.Untrue.Count == 0);
        }
        finally
        {
            File.Delete(path);
        }
    }
}
