using Mux.Tool.Load;
using Mux.Tool.Serving;

namespace Mux.Tool.Tests.Load;

/// <summary>The cost of a server is told if it is that of the server that answered the calls.</summary>
public sealed class ServerCostTests
{
    [Theory]
    [InlineData(1_000)]
    [InlineData(900)] // the rest failed before it reached the server
    [InlineData(5_000)] // others call it, too: what a call costs is the same
    public void Two_readings_of_one_server_are_its_cost(long answered)
    {
        var cost = ServerCost.Of(Reading(7, 100, 5_000), Reading(7, 100 + answered, 25_000), calls: 1_000);
        Assert.Equal((20_000.0 / answered, null), (cost.Usage?.CpuMicrosecondsPerCall, cost.Unknown));
    }

    [Fact]
    public void Readings_of_two_servers_are_no_cost()
    {
        var cost = ServerCost.Of(Reading(7, 100, 5_000), Reading(8, 1_100, 25_000), calls: 1_000);
        Assert.Equal((null, "two servers have answered: is this a gateway?"), (cost.Usage, cost.Unknown));
    }

    [Fact]
    public void A_server_that_answered_a_part_of_the_calls_is_not_their_cost()
    {
        var cost = ServerCost.Of(Reading(7, 100, 5_000), Reading(7, 600, 25_000), calls: 1_000);
        Assert.Equal((null, "the server that reports answered 500 of 1,000"), (cost.Usage, cost.Unknown));
    }

    [Fact]
    public void A_server_that_reports_nothing_needs_no_reason()
    {
        var cost = ServerCost.Of(null, Reading(7, 1_100, 25_000), calls: 1_000);
        Assert.Equal((null, null), (cost.Usage, cost.Unknown));
    }

    [Fact]
    public void Streams_are_calls_that_do_not_end() => Assert.NotNull(ServerCost.Of(Reading(7, 100, 5_000), Reading(7, 102, 25_000), calls: 0).Usage);

    private static ServerReport Reading(long instance, long calls, double cpu) => new() { Instance = instance, CallsCompleted = calls, CpuMicroseconds = cpu };
}
