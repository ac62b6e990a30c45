using Mux.Connections;
using Mux.Endpoints;
using Mux.Growth;
using Mux.TestSupport.Time;
using Mux.Timing;

namespace Mux.Core.Tests.Growth;

/// <summary>When the load of a pool is looked at.</summary>
public sealed class PoolWatchTests
{
    private const long Look = PoolGrowth.LookTime;

    private readonly Clock _clock = new(new ManualTime());
    private readonly PoolWatch _sut;

    public PoolWatchTests() => _sut = new PoolWatch(new LostPool(), floor: 1, ceiling: 4, _clock);

    [Fact]
    public void A_watch_that_falls_asleep_while_a_call_asks_for_a_look_can_be_woken()
    {
        const int Rounds = 500, LooksToRest = 10;
        int asking = 0, asleep = 0, idle = 0;
        var asker = new Thread(Ask) { IsBackground = true };
        asker.Start();
        long now = _clock.Now;
        for (int round = 1; round <= Rounds; round++)
        {
            _sut.OnSent();
            if (_sut.NextDue != _clock.Now + Look)
            {
                (asking, asleep) = (Rounds, Rounds);
                Assert.Fail($"It was not woken in round {round}.");
            }

            for (int i = 1; i < LooksToRest; i++) _sut.OnTick(now += Look);
            Volatile.Write(ref asking, round);
            _sut.OnTick(now += Look);
            Volatile.Write(ref asleep, round);
            SpinWait.SpinUntil(() => Volatile.Read(ref idle) >= round);
        }

        void Ask()
        {
            for (int round = 1; round <= Rounds; round++)
            {
                SpinWait.SpinUntil(() => Volatile.Read(ref asking) >= round);
                while (Volatile.Read(ref asleep) < round) _sut.OnLimit();
                Volatile.Write(ref idle, round);
            }
        }
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

    /// <summary>A pool whose one connection is lost.</summary>
    private sealed class LostPool : IWatchedPool
    {
        public int List(List<Connection> connections) => 1;

        public (int Unopened, long FailedDials, long FailedTrials) CountDials() => (0, 0, 0);

        public bool Grow(GrowthReason reason) => throw new InvalidOperationException("There is no reason to.");

        public void Shrink() => throw new InvalidOperationException("There is nothing to.");
    }
}
