using Mux.Client;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Balancing;

/// <summary>What the parts do together, in simulated time.</summary>
public sealed class BalancingSimulationTests(ITestOutputHelper output)
{
    private const long Second = 1_000_000;

    [Fact]
    public void A_server_that_pauses_delays_few_calls_and_is_not_starved() => Seeds.ForEach(3, seed =>
    {
        var (byLoad, shareByLoad) = RunWithPauses(seed, times: false);
        var (bySpeed, shareBySpeed) = RunWithPauses(seed, times: true);
        output.WriteLine($"p99.9 by load alone {byLoad:F2} ms, share {shareByLoad:P1}; with slowness {bySpeed:F2} ms, share {shareBySpeed:P1}.");
        Assert.InRange(bySpeed, 0, byLoad / 5);
        Assert.InRange(shareBySpeed, 0.08, 0.34); // 0.100 to 0.122 with 40 seeds
    });

    [Fact]
    public void A_server_that_is_slower_by_half_gets_fewer_calls() => Seeds.ForEach(3, seed =>
    {
        var servers = new BalancedServers((ulong)seed);
        servers.Add(300);
        servers.Add(300);
        var slow = servers.Add(600);
        servers.Run(4_000, 10 * Second);
        output.WriteLine($"Share {servers.ShareOf(slow):P1}; p99 {servers.Percentile(0.99):F2} ms.");
        Assert.InRange(servers.ShareOf(slow), 0.10, 0.28);
    });

    [Fact]
    public void Servers_of_equal_speed_get_equal_shares_although_they_are_timed() => Seeds.ForEach(3, seed =>
    {
        var servers = new BalancedServers((ulong)seed);
        BalancedServers.SimulatedServer[] all = [servers.Add(300), servers.Add(300), servers.Add(300)];
        servers.Run(5_000, 20 * Second);
        output.WriteLine($"Shares {string.Join(", ", all.Select(server => servers.ShareOf(server).ToString("P1")))}.");
        Assert.All(all, server => Assert.InRange(servers.ShareOf(server), 0.28, 0.38));
    });

    [Theory]
    [InlineData(0)]
    [InlineData(2)]
    [InlineData(8)]
    public void Idle_servers_get_equal_shares_although_each_reply_takes_another_time_and_some_are_late(double stallsPerSecond) => Seeds.ForEach(4, seed =>
    {
        var servers = new BalancedServers((ulong)seed);
        BalancedServers.SimulatedServer[] all = [servers.Add(30), servers.Add(30), servers.Add(30)];
        foreach (var server in all) server.StallsPerSecond = stallsPerSecond;
        servers.Run(1_000, 90 * Second); // shorter, one in a hundred seeds is outside
        output.WriteLine($"Shares {string.Join(", ", all.Select(server => servers.ShareOf(server).ToString("P1")))}.");
        Assert.All(all, server => Assert.InRange(servers.ShareOf(server), 0.283, 0.383));
    });

    [Fact]
    public void An_idle_server_that_is_twice_as_slow_gets_fewer_calls() => Seeds.ForEach(3, seed =>
    {
        var servers = new BalancedServers((ulong)seed);
        servers.Add(10_000);
        servers.Add(10_000);
        var slow = servers.Add(20_000);
        servers.Run(15, 60 * Second);
        output.WriteLine($"Share {servers.ShareOf(slow):P1}.");
        Assert.InRange(servers.ShareOf(slow), 0.10, 0.28);
    });

    [Fact]
    public void A_server_that_fails_fast_does_not_draw_calls() => Seeds.ForEach(3, seed =>
    {
        var ejecting = RunWithFailing(seed, BalancingSettings.Default);
        var blind = RunWithFailing(seed, BalancingSettings.Default with { Ejects = false });
        output.WriteLine($"Failed calls with ejection {ejecting:P2}, without {blind:P1}.");
        Assert.InRange(blind, 0.40, 1); // or the simulation shows nothing
        Assert.InRange(ejecting, 0, 0.005);
    });

    private static (double Percentile, double Share) RunWithPauses(int seed, bool times)
    {
        var servers = new BalancedServers((ulong)seed) { Times = times };
        servers.Add(250);
        servers.Add(250);
        var pausing = servers.Add(250);
        (pausing.PauseTime, pausing.Period) = (50_000, 250_000);
        servers.Run(20_000, 8 * Second);
        return (servers.Percentile(0.999), servers.ShareOf(pausing));
    }

    private static double RunWithFailing(int seed, BalancingSettings settings)
    {
        var servers = new BalancedServers((ulong)seed) { Settings = settings };
        servers.Add(400);
        servers.Add(400);
        servers.Add(400).FailsFast = true;
        servers.Run(3_000, 20 * Second);
        return (double)servers.Failed / (servers.Failed + servers.RoundTrips.Count);
    }
}
