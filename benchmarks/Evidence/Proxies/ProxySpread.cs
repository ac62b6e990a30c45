using System.Collections.Concurrent;
using System.Diagnostics;
using Evidence.Fleets;

namespace Evidence.Proxies;

/// <summary>A proxy that spreads connections, not calls: two clients leave one of three servers idle, until their connections have reached an age and are made anew.</summary>
internal static class ProxySpread
{
    private const int Servers = 3, Clients = 2, Callers = 10;
    private const int MaxAge = 2_000; // ms
    private const int Silence = 10_000;
    private const double LeastShare = 20; // percent, of the server that was idle

    private static readonly TimeSpan s_time = TimeSpan.FromSeconds(10);

    public static async Task<bool> MeasureAsync(ProxyKind kind)
    {
        List<FleetServer> servers = [.. Enumerable.Range(0, Servers).Select(number => new FleetServer(number, ["--max-age", $"{MaxAge}"]))];
        try
        {
            using var proxy = new RunningProxy(kind, servers.Select(server => server.Port), Silence);
            long[] answered = new long[Servers];
            var first = new ConcurrentDictionary<int, bool>();
            long failed = 0;
            await Task.WhenAll(Enumerable.Range(0, Clients).Select(async _ =>
            {
                await using var channel = await MuxChannel.ConnectAsync(proxy.Address);
                var fleet = channel.CreateProxy<IFleet>();
                first.TryAdd(await fleet.Who(), true);
                long start = Stopwatch.GetTimestamp();
                await Task.WhenAll(Enumerable.Range(0, Callers).Select(_ => Task.Run(async () =>
                {
                    while (Stopwatch.GetElapsedTime(start) < s_time)
                    {
                        try
                        {
                            Interlocked.Increment(ref answered[await fleet.Who()]);
                        }
                        catch (MuxException)
                        {
                            Interlocked.Increment(ref failed);
                        }

                        await Task.Delay(1); // shares, not a race for the processor
                    }
                })));
            }));
            double[] shares = [.. answered.Select(count => 100.0 * count / answered.Sum())];
            return ProxyTable.Write(
                $"{Servers} servers, {Clients} clients with a connection each, MaxConnectionAge {MaxAge} ms, {s_time.TotalSeconds} s",
                $"at first at {first.Count} servers; shares {string.Join(", ", shares.Select(share => $"{share:F0} %"))}; {failed} calls failed",
                $"the idle one gets {LeastShare:F0} %, no call fails",
                failed == 0 && Enumerable.Range(0, Servers).Where(server => !first.ContainsKey(server)).All(server => shares[server] >= LeastShare));
        }
        finally
        {
            foreach (var server in servers) server.Dispose();
        }
    }
}
