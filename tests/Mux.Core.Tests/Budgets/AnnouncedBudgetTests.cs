using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Budgets;

/// <summary>Budgets that a peer has announced in its HELLO (settings 16 to 19): this side keeps within them.</summary>
public sealed class AnnouncedBudgetTests
{
    private static readonly MethodDescriptor s_method = new("test", "Own", MethodShape.Unary, takesToken: false);

    [Fact]
    public void Cancels_beyond_a_quarter_of_what_the_peer_announced_wait_until_their_calls_are_not_young()
    {
        var peer = ScriptedPeer.Open(accepting: false, settings: new PeerSettings { PrematureCancels = 400 });
        for (int i = 0; i < 150; i++) CallHolder.Cancel(peer.Call(s_method, []));
        Assert.Equal(100, peer.ReadAll().Count(frame => frame.Kind == FrameKind.Cancel));
        peer.Respond(new CallId(150, 1), []); // answered meanwhile: nothing follows of it

        peer.Time.Advance(TimeSpan.FromSeconds(1));
        peer.Sut.OnTick(peer.Sut.Clock.Now);
        Assert.DoesNotContain(peer.ReadAll(), frame => frame.Kind == FrameKind.Cancel);
        peer.Time.Advance(TimeSpan.FromSeconds(1));
        peer.Sut.OnTick(peer.Sut.Clock.Now);

        var cancels = peer.ReadAll();
        Assert.Equal(Enumerable.Range(101, 49).Select(slot => new CallId(slot, 1)), cancels.Select(frame => frame.Id));
        Assert.All(cancels, frame => Assert.Equal(FrameKind.Cancel, frame.Kind));
        peer.End();
    }

    [Fact]
    public void Cancels_are_not_held_where_the_peer_announced_nothing()
    {
        var peer = ScriptedPeer.Open(accepting: false);
        for (int i = 0; i < 150; i++) CallHolder.Cancel(peer.Call(s_method, []));
        Assert.Equal(150, peer.ReadAll().Count(frame => frame.Kind == FrameKind.Cancel));
        peer.End();
    }

    [Fact]
    public void A_peer_is_not_asked_more_often_than_a_tenth_of_the_interval_that_it_announced()
    {
        var peer = ScriptedPeer.Open(accepting: false, new ConnectionOptions { KeepAliveTime = 400_000 }, new PeerSettings { PingIntervalMilliseconds = 10_000 });
        peer.Call(s_method, []);
        peer.ReadAll();

        peer.Time.Advance(TimeSpan.FromMilliseconds(900));
        peer.Sut.OnTick(peer.Sut.Clock.Now);
        Assert.Empty(peer.ReadAll());
        peer.Time.Advance(TimeSpan.FromMilliseconds(200));
        peer.Sut.OnTick(peer.Sut.Clock.Now);

        Assert.Equal(FrameKind.Ping, Assert.Single(peer.ReadAll()).Kind);
        peer.End();
    }

    [Theory]
    [InlineData(400, 60)]
    [InlineData(20_000, 200)] // ten times its own time, as that is more
    public void A_peer_cannot_announce_that_it_is_asked_no_more(int keepAliveMilliseconds, int expectedSeconds)
    {
        var peer = ScriptedPeer.Open(accepting: false, new ConnectionOptions { KeepAliveTime = keepAliveMilliseconds * 1_000L }, new PeerSettings { PingIntervalMilliseconds = int.MaxValue });
        peer.Call(s_method, []);
        peer.ReadAll();

        peer.Time.Advance(TimeSpan.FromSeconds(expectedSeconds - 1));
        peer.Sut.OnTick(peer.Sut.Clock.Now);
        Assert.Empty(peer.ReadAll());
        peer.Time.Advance(TimeSpan.FromSeconds(2));
        peer.Sut.OnTick(peer.Sut.Clock.Now);

        Assert.Equal(FrameKind.Ping, Assert.Single(peer.ReadAll()).Kind);
        peer.End();
    }

    [Fact]
    public void A_peer_that_asks_every_minute_is_within_the_longest_interval()
    {
        const long minute = 60_000_000;
        var watch = new PingWatch(new BudgetLimits { PingInterval = 60 * minute, PingStrikes = 1 });
        for (int i = 0; i < 10; i++) Assert.Null(watch.OnPing(i * minute, announced: 10_000_000, frames: 0, sent: 0));
    }

    [Theory]
    [InlineData(MuxProfile.Edge, 10_000, 10_000, 1_000, 100_000)]
    [InlineData(MuxProfile.Internal, 100_000, 100_000, 100, 0)]
    public void A_server_announces_the_budgets_that_end_connections(MuxProfile profile, int control, int tiny, int pings, int cancels)
    {
        var options = new MuxServerOptions();
        options.Profile = profile;
        var local = EngineSettings.Announced(EffectiveLimits.Of(options).Budgets);
        Assert.Equal((control, tiny, pings, cancels), (local.ControlFrames, local.TinyFrames, local.PingIntervalMilliseconds, local.PrematureCancels));
        Assert.Equal(default, EngineSettings.Announced(BudgetLimits.None).PingIntervalMilliseconds);
    }
}
