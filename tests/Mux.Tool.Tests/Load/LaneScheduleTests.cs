using System.Diagnostics;
using Mux.TestSupport.Transports;
using Mux.Tool.Load;
using Mux.Tool.Measuring;
using Mux.Tool.Workloads;

namespace Mux.Tool.Tests.Load;

/// <summary>One thread, and a time that is what the test says: 1,000 calls per second that were due an hour ago and later, so that each reply comes after them.</summary>
public sealed class LaneScheduleTests
{
    private static readonly long s_step = Stopwatch.Frequency / 1_000;

    private readonly LoadState _state = new(HandlerProfile.Plain);
    private readonly List<ScriptedToken> _open = [];
    private readonly long _start = Stopwatch.GetTimestamp();

    [Fact]
    public void What_is_due_is_made_and_nothing_else()
    {
        var sut = Make(cap: 100);

        sut.MakeDueCalls(_start + 4 * s_step);

        Assert.Equal([1, 2, 3, 4, 5], _open.Select(token => token.Number));
        Assert.Equal(new LaneCounts(Made: 5, Dropped: 0, Open: 5), sut.Counts);
        Assert.Equal(_start + 5 * s_step, sut.NextAt);
    }

    [Fact]
    public void Connections_make_the_calls_in_turns()
    {
        var first = Make(cap: 100, lane: 0, lanes: 3);
        var second = Make(cap: 100, lane: 1, lanes: 3);

        first.MakeDueCalls(_start + 7 * s_step);
        second.MakeDueCalls(_start + 7 * s_step);

        Assert.Equal([1, 4, 7, 2, 5, 8], _open.Select(token => token.Number));
    }

    [Fact]
    public void Calls_beyond_the_cap_are_dropped_and_counted_and_the_schedule_goes_on()
    {
        var sut = Make(cap: 3);

        sut.MakeDueCalls(_start + 9 * s_step);
        Assert.Equal(new LaneCounts(Made: 3, Dropped: 7, Open: 3), sut.Counts);

        sut.MakeDueCalls(_start + 10 * s_step);
        Assert.Equal(8, sut.Counts.Dropped);
    }

    [Fact]
    public async Task A_reply_makes_the_calls_that_became_due_while_it_was_awaited()
    {
        var sut = Make(cap: 100);
        sut.MakeDueCalls(_start);
        await UntilDue(sut, calls: 3);

        Assert.Single(_open).Answer();

        Assert.True(_open.Count >= 3, $"{_open.Count} calls");
        Assert.Equal(_open.Count + 1, sut.Counts.Made);
    }

    [Fact]
    public async Task The_response_time_counts_from_when_a_call_was_due_and_the_service_time_from_when_it_was_made()
    {
        const long Least = 48_000_000; // the 50th call is due after 49 ms, and a histogram may say 1/64 less
        var sut = Make(cap: 1);
        await UntilDue(sut, calls: 50);
        sut.MakeDueCalls(_start);

        Assert.Single(_open).Answer();

        Assert.InRange(Sum(Measured.Response).Min, Least, long.MaxValue);
        Assert.InRange(Sum(Measured.Lag).Min, Least, long.MaxValue);
        Assert.True(Sum(Measured.Service).Min < Sum(Measured.Response).Min);
    }

    [Fact]
    public void The_pacer_leaves_a_busy_connection_to_its_turns_until_it_is_behind()
    {
        var sut = Make(cap: 100);
        sut.MakeOverdueCalls(_start, patience: 2 * s_step); // idle: at once
        Assert.Single(_open);

        sut.MakeOverdueCalls(_start + 2 * s_step, patience: 2 * s_step);
        Assert.Single(_open);

        sut.MakeOverdueCalls(_start + 3 * s_step, patience: 2 * s_step);
        Assert.Equal(4, _open.Count); // all that are due

        sut.MakeOverdueCalls(_start + 5 * s_step, patience: 2 * s_step);
        Assert.Equal(4, _open.Count); // not behind yet
    }

    [Fact]
    public async Task Where_the_pacer_makes_all_calls_a_reply_makes_none_and_the_pacer_does_not_wait_for_it()
    {
        var sut = new LaneSchedule(new CallSchedule(1_000, _start), 0, 1, 100, MakeToken, turnsMakeCalls: false);
        sut.MakeOverdueCalls(_start, patience: 2 * s_step);
        await UntilDue(sut, calls: 3);

        Assert.Single(_open).Answer();
        Assert.Empty(_open);

        sut.MakeOverdueCalls(_start + 2 * s_step, patience: 100 * s_step);
        Assert.Equal(2, _open.Count);
    }

    [Fact]
    public async Task Replies_that_are_there_at_once_do_not_pile_up_on_the_stack()
    {
        const int Rate = 1_000_000;
        var sut = new LaneSchedule(new CallSchedule(Rate, _start), lane: 0, lanes: 1, cap: 10, MakeImmediate);
        while (Stopwatch.GetTimestamp() < _start + Stopwatch.Frequency / 5) await Task.Yield();

        sut.MakeDueCalls(Stopwatch.GetTimestamp());

        Assert.InRange(sut.Counts.Made, Rate / 5, long.MaxValue);
        Assert.Equal(0, sut.Counts.Dropped);
        await sut.CloseAsync().Within("the tokens to end");

        (CallToken Token, ScheduledPace Pace) MakeImmediate(LaneSchedule lane)
        {
            var pace = new ScheduledPace(_state, lane);
            return (new ImmediateToken(pace), pace);
        }
    }

    [Fact]
    public async Task At_the_end_parked_tokens_end_at_once_and_the_others_with_their_reply()
    {
        var sut = Make(cap: 100);
        sut.MakeDueCalls(_start + s_step);
        _open[0].Answer();
        while (_open.Count > 1) _open[1].Answer(); // whatever was due by then

        _state.Stop();
        var ended = sut.CloseAsync();
        Assert.False(ended.IsCompleted);
        Assert.Equal(1, sut.Counts.Open);

        _open[0].Answer();
        await ended.Within("the last token to end");
        Assert.Equal(0, sut.Counts.Open);
        Assert.Empty(_open);
    }

    private LaneSchedule Make(int cap, int lane = 0, int lanes = 1) => new(new CallSchedule(1_000, _start), lane, lanes, cap, MakeToken);

    private (CallToken Token, ScheduledPace Pace) MakeToken(LaneSchedule lane)
    {
        var pace = new ScheduledPace(_state, lane);
        return (new ScriptedToken(pace, _open), pace);
    }

    private LatencyHistogram Sum(Measured kind) => _state.Recorders.SumInto(new LatencyHistogram(), kind);

    /// <summary>Lets the clock come to where so many more calls are due.</summary>
    private static async Task UntilDue(LaneSchedule schedule, int calls)
    {
        while (Stopwatch.GetTimestamp() < schedule.NextAt + (calls - 1) * s_step) await Task.Yield();
    }
}
