using Mux.Engine;
using Mux.Runtime;
using Mux.TestSupport.Time;

namespace Mux.Core.Tests.Budgets;

public sealed class RouteLimitTests
{
    private readonly Clock _clock = new(new ManualTime());
    private int _servers = 1;

    [Fact]
    public void A_connection_gets_what_it_leaves_for_others_and_one_with_few_calls_is_served()
    {
        var limit = new RouteLimit(4_096, 1_024, () => _servers);
        int[] taken = [.. Enumerable.Range(0, 3).Select(_ => Fill(new RouteShares().Of(limit)))];
        Assert.Equal([2_048, 1_024, 512], taken);
        Assert.Equal(20, Fill(new RouteShares().Of(limit), most: 20));
    }

    [Fact]
    public void Each_server_adds_to_it()
    {
        var limit = new RouteLimit(100, 10, () => _servers);
        var shares = new RouteShares();
        Assert.Equal(50, Fill(shares.Of(limit)));
        _servers = 3;
        Assert.Equal(100, Fill(shares.Of(limit)));
        Assert.Equal((300, 30), (limit.Calls, limit.RequestStreams));
    }

    [Fact]
    public void What_is_released_can_be_taken_again_and_what_a_lost_connection_had_too()
    {
        var limit = new RouteLimit(100, 10, () => _servers);
        var shares = new RouteShares();
        Assert.Equal(5, Fill(shares.Of(limit), hasRequestStream: true));
        Assert.Contains("MaxRequestStreams", shares.Of(limit).TryTake(hasRequestStream: true, _clock), StringComparison.Ordinal);
        Assert.Equal(45, Fill(shares.Of(limit)));
        Assert.Contains("MaxCalls", shares.Of(limit).TryTake(hasRequestStream: false, _clock), StringComparison.Ordinal);
        shares.Of(limit).Release(hasRequestStream: true);
        Assert.Null(shares.Of(limit).TryTake(hasRequestStream: true, _clock));
        shares.Leave();
        Assert.Equal(50, Fill(new RouteShares().Of(limit)));
    }

    [Fact]
    public void A_connection_has_one_share_of_each()
    {
        RouteLimit first = new(100, 10, () => _servers), second = new(100, 10, () => _servers);
        var shares = new RouteShares();
        Assert.Same(shares.Of(first), shares.Of(first));
        Assert.NotSame(shares.Of(first), shares.Of(second));
        Assert.Equal((50, 50), (Fill(shares.Of(first)), Fill(shares.Of(second))));
    }

    [Fact]
    public void Two_routes_to_the_same_servers_have_the_lower_figures()
    {
        RouteLimit first = new(100, 10, () => _servers), second = new(50, 20, () => _servers);
        first.Lower(second);
        Assert.Equal((50, 10), (first.Calls, first.RequestStreams));
    }

    private int Fill(RouteShare share, int most = int.MaxValue, bool hasRequestStream = false)
    {
        int taken = 0;
        while (taken < most && share.TryTake(hasRequestStream, _clock) is null) taken++;
        return taken;
    }
}
