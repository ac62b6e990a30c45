using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;
using Mux.Server;
using Mux.TestSupport.EndToEnd;

namespace Mux.Core.Tests.Overload;

/// <summary>What a server makes of looks at its queues: refusals, offers and log entries.</summary>
public sealed class ServerLoadTests
{
    private const long Target = 5_000, Window = QueueTime.Window;

    private readonly LogCollector _logs = new();
    private readonly SharedBudgets _shared = new(new HandlerLimit(BudgetLimits.Unbounded, _ => { }), new NoStalls(), new MemoryBudget(long.MaxValue, BudgetLimits.Unbounded), _ => { });
    private readonly ServerLoad _sut;
    private long _now = 1;

    public ServerLoadTests()
    {
        _sut = Make(Target);
        _sut.OnLook(_now, 0, 0);
        Pass(0);
    }

    private AdmissionGate Gate => _shared.Admission;

    private LeaseFrame Offer => _shared.Leases.Current!.Frame;

    [Fact]
    public void A_queue_that_stands_for_100_ms_has_calls_refused()
    {
        Look(Target + 1);
        Assert.False(Gate.IsCutting);
        for (int look = 0; look < 100; look++) Look(Target + 1);

        Assert.Equal((true, Target + 1), (Gate.IsCutting, Gate.QueueTime));
        Assert.Equal(0.9, Gate.Share, 9);
    }

    [Fact]
    public void A_queue_that_was_short_once_in_the_window_refuses_nothing()
    {
        Look(100 * Target);
        Look(Target);
        Pass(100 * Target);

        Assert.False(Gate.IsCutting);
    }

    [Fact]
    public void A_loop_that_is_behind_counts_like_a_queue()
    {
        for (int look = 0; look < 20; look++) _sut.OnLook(_now += Window / 10, 0, 2 * Target);

        Assert.True(Gate.IsCutting);
        Assert.Equal(Target, Gate.Delay);
    }

    [Fact]
    public void A_server_without_control_measures_and_takes_all_calls()
    {
        var sut = Make(Clock.Never);
        for (int look = 0; look < 100; look++) sut.OnLook(_now += Window / 10, 100 * Target, 100 * Target);

        Assert.Equal((false, 100 * Target, 0L), (Gate.IsCutting, Gate.QueueTime, Gate.Delay));
        Assert.Equal((4_096u, LeaseFrame.MostLevel), (Offer.MaxOpenCalls, Offer.Level));
    }

    [Fact]
    public void The_calls_that_came_decide_which_priority_is_cut()
    {
        Pass(2 * Target);
        for (int call = 0; call < 100; call++) Gate.Admits(call < 90 ? MuxCallPriority.Low : MuxCallPriority.Normal, 0);
        Pass(3 * Target);

        Assert.True(Gate.Admits(MuxCallPriority.Normal, byte.MaxValue));
        Assert.False(Gate.Admits(MuxCallPriority.Low, byte.MaxValue));
        Assert.True(Gate.Admits(MuxCallPriority.Low, 100));
        Pass(4 * Target);
        Pass(5 * Target); // no call came: those before it decide
        Assert.True(Gate.Admits(MuxCallPriority.Normal, byte.MaxValue));
    }

    [Fact]
    public void A_rest_ends_refusals_as_all_its_windows_would()
    {
        for (int window = 0; window < 5; window++) Pass((window + 2) * Target);
        Assert.True(Gate.IsCutting);
        _sut.OnLook(_now += 20 * Window, 0, 0);
        Assert.False(Gate.IsCutting);
    }

    [Fact]
    public async Task An_overload_is_logged_once_when_it_begins_and_once_when_it_has_been_over_for_a_second()
    {
        for (int window = 0; window < 5; window++) Pass((window + 2) * Target);
        Refuse();
        var began = Assert.Single(await _logs.ReachAsync("Overloaded"));
        for (int window = 0; window < 3; window++) Pass(0); // the share is whole again
        Assert.False(Gate.IsCutting);
        Pass(2 * Target); // and cut again
        Refuse();
        for (int window = 0; window < 9; window++) Pass(0);
        Pass(2 * Target); // within the second
        Refuse();
        for (int window = 0; window < 10; window++) Pass(0);

        Assert.Contains("MaxQueueTime is 5.0 ms", began.Text, StringComparison.Ordinal);
        Assert.Contains("3 calls were refused", Assert.Single(await _logs.ReachAsync("Recovered")).Text, StringComparison.Ordinal);
        Assert.Single(_logs.Of("Overloaded"));
    }

    [Fact]
    public void An_offer_follows_the_level_at_once()
    {
        Pass(0);
        var calm = _shared.Leases.Current;
        Pass(2 * Target);

        Assert.NotSame(calm, _shared.Leases.Current);
        Assert.Equal((4_096u, 1_000u), (Offer.MaxOpenCalls, Offer.LifetimeMilliseconds));
        Assert.InRange(Offer.Level, 21, 41); // a part of normal priority
    }

    [Fact]
    public void There_are_at_most_ten_offers_a_second_and_a_new_one_before_the_last_is_over()
    {
        var offers = new HashSet<object>();
        long longest = 0, last = _now;
        for (int look = 0; look < 10_000; look++)
        {
            Look(0);
            if (_shared.Leases.Current is not { } offer || !offers.Add(offer)) continue;
            longest = Math.Max(longest, _now - last);
            last = _now;
        }

        Assert.InRange(offers.Count, 1, 10_000 / 100 + 1);
        Assert.InRange(longest, 1, 700_000);
    }

    [Fact]
    public void Once_nothing_is_offered_nothing_else_is()
    {
        _sut.OfferNothing(TimeSpan.FromSeconds(5));
        Assert.Equal((0u, 35_000u), (Offer.MaxOpenCalls, Offer.LifetimeMilliseconds));

        for (int window = 0; window < 20; window++) Pass(0);

        Assert.Equal((0u, 35_000u), (Offer.MaxOpenCalls, Offer.LifetimeMilliseconds));
    }

    private void Refuse() => Assert.False(Gate.Admits(MuxCallPriority.Normal, byte.MaxValue));

    private ServerLoad Make(long maxQueueTime) => new(_shared, maxQueueTime, 4_096, _logs.CreateLogger("Mux.Server"));

    /// <summary>A look, a millisecond later.</summary>
    private void Look(long queued) => _sut.OnLook(_now += 1_000, queued, 0);

    /// <summary>The rest of a window.</summary>
    private void Pass(long queued)
    {
        _sut.OnLook(_now += Window / 2, queued, 0);
        _sut.OnLook(_now += Window / 2, queued, 0);
    }

    private sealed class NoStalls : IStallWatch
    {
        public void OnStalled(long now)
        {
        }
    }
}
