using System.Runtime.CompilerServices;
using Mux.Client;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;
using Mux.TestSupport.Connections;
using Mux.TestSupport.Time;

namespace Mux.Core.Tests.Growth;

/// <summary>When the load of a pool is looked at.</summary>
public sealed class PoolWatchTests
{
    private const long Look = PoolGrowth.LookTime;

    private readonly Clock _clock = new(new ManualTime());
    private readonly PoolWatch _sut;

    public PoolWatchTests() => _sut = new PoolWatch(new LostPool(), floor: 1, ceiling: 4, _clock);

    [Fact]
    public void It_falls_asleep_when_nothing_is_sent_and_is_woken_by_what_is_sent()
    {
        FallAsleep();
        _sut.OnLimit(); // nothing asks for a look while nothing is sent
        Assert.Equal((Clock.Never, 0), (_sut.NextDue, Ticker.For(_clock).Count));
        _sut.OnSent();
        Assert.Equal((_clock.Now + Look, 1), (_sut.NextDue, Ticker.For(_clock).Count));
    }

    [Fact]
    public void A_call_that_asked_for_a_look_while_it_fell_asleep_does_not_keep_it_asleep()
    {
        FallAsleep();
        NextLookOf(_sut) = 0; // by a thread that saw it awake and then had to wait: some ns in which no other test finds it
        _sut.OnSent();
        Assert.Equal((_clock.Now + Look, 1), (_sut.NextDue, Ticker.For(_clock).Count));
    }

    [Fact]
    public void After_a_look_on_request_that_found_no_reason_waiting_calls_ask_for_none_before_the_ordinary_look()
    {
        long now = _clock.Now;
        _sut.OnSent();
        _sut.OnTick(now += Look);
        _sut.OnLimit();
        Assert.Equal(0, _sut.NextDue); // at once
        _sut.OnTick(now += Look / 10);
        _sut.OnLimit();
        Assert.Equal(now + Look, _sut.NextDue);
        _sut.OnTick(now += Look);
        _sut.OnLimit();
        Assert.Equal(0, _sut.NextDue);
    }

    [Fact]
    public void Streams_wait_for_no_further_connection_while_the_server_asks_for_fewer_calls()
    {
        var server = ScriptedPeer.Open(accepting: false, new ConnectionOptions { Local = new PeerSettings { ReadsLeases = true } });
        using var sut = new Watched(new PoolWatch(new LonePool(server.Sut), floor: 1, ceiling: 4, _clock));
        Assert.True(sut.IsGrowingAtNextLook());

        var lease = new byte[LeaseFrame.Length];
        new LeaseFrame(1, 1_000, LeaseFrame.MostLevel, 0).Write(lease);
        server.SendFrame(FrameKind.Lease, default, lease);
        Assert.False(sut.IsGrowingAtNextLook());

        server.Time.Advance(TimeSpan.FromSeconds(1.1)); // the lease is over
        Assert.True(sut.IsGrowingAtNextLook());
    }

    private void FallAsleep()
    {
        const int LooksToRest = 10;
        long now = _clock.Now;
        _sut.OnSent();
        Assert.Equal((_clock.Now + Look, 1), (_sut.NextDue, Ticker.For(_clock).Count));
        for (int i = 0; i < LooksToRest; i++) _sut.OnTick(now += Look);
        Assert.Equal((Clock.Never, 0), (_sut.NextDue, Ticker.For(_clock).Count));
    }

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_nextLook")]
    private static extern ref long NextLookOf(PoolWatch watch);

    /// <summary>A watch whose looks the test causes.</summary>
    private sealed class Watched(PoolWatch watch) : IDisposable
    {
        private long _now;

        public bool IsGrowingAtNextLook()
        {
            watch.OnTick(_now += Look);
            return watch.IsGrowing;
        }

        public void Dispose() => watch.Dispose();
    }

    /// <summary>A pool with one connection.</summary>
    private sealed class LonePool(Connection connection) : IWatchedPool
    {
        public int List(List<Connection> connections)
        {
            connections.Add(connection);
            return 1;
        }

        public (int Unopened, long FailedDials, long FailedTrials) CountDials() => (0, 0, 0);

        public bool Grow(GrowthReason reason) => throw new InvalidOperationException("There is no reason to.");

        public void Shrink() => throw new InvalidOperationException("There is nothing to.");
    }

    /// <summary>A pool whose one connection is lost.</summary>
    private sealed class LostPool : IWatchedPool
    {
        public int List(List<Connection> connections) => 1;

        public (int Unopened, long FailedDials, long FailedTrials) CountDials() => (0, 0, 0);

        public bool Grow(GrowthReason reason) => throw new InvalidOperationException("There is no reason to.");

        public void Shrink() => throw new InvalidOperationException("There is nothing to.");
    }
}
