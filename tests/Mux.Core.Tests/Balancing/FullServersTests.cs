using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Balancing;

/// <summary>A zone whose servers refuse calls still serves as many as it can.</summary>
public sealed class FullServersTests(ITestOutputHelper output)
{
    private const long Second = 1_000_000;

    [Theory]
    [InlineData(1, 300)]
    [InlineData(1, 600)]
    [InlineData(4, 150)]
    public void A_zone_at_its_limit_serves_nearly_all_it_can_and_no_call_fails(int clients, int callers) => Seeds.ForEach(3, seed =>
    {
        var servers = new FullServers(seed, clients, callers);
        servers.Run(2 * Second);
        servers.Run(10 * Second);
        double part = servers.Served.Sum() / servers.Possible(10 * Second);
        output.WriteLine($"{part:P1} of what it could serve; {servers.Refused} refused, {servers.Failed} failed; by client {string.Join(" / ", servers.Served)}");
        Assert.InRange(part, 0.88, 1.05);
        Assert.Equal(0, servers.Failed);
        Assert.InRange(servers.Refused, 0, 2_000); // of 60,000 calls and more
        Assert.InRange(servers.Served.Min() * clients / (double)servers.Served.Sum(), 0.5, 1);
    });

    [Fact]
    public void A_zone_that_has_more_places_than_before_serves_as_many_two_seconds_later() => Seeds.ForEach(3, seed =>
    {
        var servers = new FullServers(seed, clients: 1, callers: 300) { Places = 2 };
        servers.Run(2 * Second);
        servers.Places = 64;
        servers.Run(2 * Second);
        servers.Run(2 * Second);
        double part = servers.Served.Sum() / servers.Possible(2 * Second);
        output.WriteLine($"{part:P1} of what it could serve; {servers.Refused} refused");
        Assert.InRange(part, 0.88, 1.1);
    });
}
