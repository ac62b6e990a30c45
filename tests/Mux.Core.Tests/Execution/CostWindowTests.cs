using Mux.Runtime;

namespace Mux.Core.Tests.Execution;

/// <summary>Who is charged for the time between two looks at the clock.</summary>
public sealed class CostWindowTests
{
    private readonly Placement _one = Warm("one");
    private readonly Placement _other = Warm("other");
    private readonly CostWindow _sut;
    private long _now = 1_000;
    private ThreadUsage _usage;
    private int _readings;

    public CostWindowTests() => _sut = new CostWindow(() =>
    {
        _readings++;
        return _usage;
    });

    [Fact]
    public void The_time_of_a_window_of_one_kind_is_charged_to_it()
    {
        for (int window = 0; _one.IsInline && window < 100; window++) Run(_one, calls: 16, each: 50);
        Assert.Equal(1, _one.Demotions);
    }

    [Fact]
    public void Code_that_gets_large_messages_may_take_longer()
    {
        for (int window = 0; window < 1_000; window++)
        {
            Receive(_one, each: 30, bytes: 20_480); // 10 us for the call, and 20 for its bytes
            Receive(_other, each: 40, bytes: 20_480);
        }

        Assert.Equal((0, true), (_one.Demotions, _other.Demotions > 0));
    }

    [Fact]
    public void Bytes_that_come_before_the_call_that_gets_them_count_up_to_the_longest_message_of_a_turn()
    {
        for (int window = 0; window < 1_000; window++)
        {
            for (int fragment = 0; fragment < 100; fragment++) _sut.Close(_now, 32 * 1024);
            Receive(_one, each: 10 + 128, bytes: 0);
            for (int fragment = 0; fragment < 100; fragment++) _sut.Close(_now, 32 * 1024);
            Receive(_other, each: 10 + 128 + 10, bytes: 0);
        }

        Assert.Equal((0, true), (_one.Demotions, _other.Demotions > 0));
    }

    [Fact]
    public void A_mixed_window_that_is_cheap_asks_for_nothing()
    {
        _sut.Begin(_now);
        RunMixed(each: 5);
        Assert.False(_sut.WantsDetail);
    }

    [Fact]
    public void After_a_mixed_window_that_is_dear_the_next_calls_are_measured_one_by_one_and_the_dear_kind_is_found()
    {
        _sut.Begin(_now);
        for (int round = 0; _one.IsInline && round < 100; round++)
        {
            RunMixed(each: 50);
            Assert.True(_sut.WantsDetail);
            for (int call = 0; _sut.WantsDetail; call++) Run(call % 2 == 0 ? _one : _other, calls: 1, each: call % 2 == 0 ? 99 : 1);
        }

        Assert.Equal((1, 0), (_one.Demotions, _other.Demotions));
    }

    [Fact]
    public void What_ran_before_a_delivery_is_not_charged_to_it()
    {
        for (int delivery = 0; delivery < 100; delivery++)
        {
            _now += 1_000_000;
            _sut.Begin(_now);
            Run(_one, calls: 1, each: 1);
        }

        Assert.True(_one.IsInline);
    }

    [Fact]
    public void Code_without_a_placement_is_charged_to_nobody()
    {
        _sut.Begin(_now);
        for (int window = 0; window < 100; window++)
        {
            _sut.Count(null);
            _now += 10_000;
            _sut.Close(_now, 0);
        }

        Assert.False(_sut.WantsDetail);
    }

    [Fact]
    public void Time_in_which_the_machine_ran_somebody_else_is_charged_to_nobody()
    {
        _sut.Begin(_now);
        for (int window = 0; window < 1_000; window++) Run(_one, calls: 16, each: 1_000, used: 16);
        Assert.Equal(0, _one.Demotions);
    }

    [Fact]
    public void Time_in_which_the_code_waited_is()
    {
        _sut.Begin(_now);
        for (int window = 0; _one.IsInline && window < 10; window++) Run(_one, calls: 16, each: 1_000, used: 16, waits: 1);
        Assert.Equal(1, _one.Demotions);
    }

    [Fact]
    public void So_is_time_in_which_it_computed()
    {
        _sut.Begin(_now);
        for (int window = 0; _one.IsInline && window < 10; window++) Run(_one, calls: 16, each: 1_000, used: 15_000);
        Assert.Equal(1, _one.Demotions);
    }

    [Fact]
    public void A_busy_machine_costs_a_reading_for_each_suspicious_window_and_each_millisecond()
    {
        _sut.Begin(_now);
        Run(_one, calls: 16, each: 1_000, used: 16);
        for (int window = 0; window < 10_000; window++) Run(_one, calls: 16, each: 1, used: 16);
        Assert.InRange(_readings, 2, 1 + 160);
        Assert.Equal(0, _one.Demotions);
    }

    [Fact]
    public void A_quiet_machine_costs_no_reading()
    {
        _sut.Begin(_now);
        for (int window = 0; window < 1_000; window++) Run(_one, calls: 16, each: 1, used: 16);
        Assert.Equal(0, _readings);
    }

    [Fact]
    public void One_blocked_window_in_ten_is_found_as_fast_as_with_a_reading_for_each()
    {
        _sut.Begin(_now);
        int blocked = 0;
        for (int window = 0; _one.IsInline && window < 1_000; window++)
        {
            if (window % 10 > 0)
            {
                Run(_one, calls: 16, each: 1, used: 16);
                continue;
            }

            blocked++;
            Run(_one, calls: 16, each: 1_000, used: 16, waits: 1);
        }

        Assert.Equal(1, _one.Demotions);
        Assert.InRange(blocked, 2, 12); // 2 ms are charged for each, and 1.6 ms are forgiven until the next: at least 8 ms must come together
    }

    [Fact]
    public void Waits_between_two_deliveries_are_not_charged()
    {
        _sut.Begin(_now);
        for (int delivery = 0; delivery < 1_000; delivery++)
        {
            Run(_one, calls: 16, each: 1_000, used: 16); // preempted
            _usage = new ThreadUsage(_usage.Processor, _usage.Waits + 1);
            _sut.ForgetUsage();
            _now += 100;
            _sut.Begin(_now);
        }

        Assert.Equal(0, _one.Demotions);
    }

    [Fact]
    public void Code_that_waits_in_each_of_its_calls_is_found_although_the_thread_waits_for_input_between_them()
    {
        for (int call = 0; _one.IsInline && call < 100; call++)
        {
            _now += 200; // the peer sends the next call
            _sut.ForgetUsage();
            _sut.Begin(_now);
            Run(_one, calls: 1, each: 3_000, used: 16, waits: 1);
        }

        Assert.Equal(1, _one.Demotions);
    }

    [Fact]
    public void A_wait_for_a_garbage_collection_is_not_charged()
    {
        _sut.Begin(_now);
        for (int window = 1; window < 1_000; window++) Run(_one, calls: 16, each: 1_000, used: 16, waits: 1, collections: 1);
        Assert.Equal(0, _one.Demotions);
    }

    [Fact]
    public void Where_the_system_tells_nothing_all_time_is_charged()
    {
        var sut = new CostWindow(null);
        sut.Begin(_now);
        for (int window = 0; _one.IsInline && window < 10; window++)
        {
            sut.Count(_one);
            _now += 5_000;
            sut.Close(_now, 0);
        }

        Assert.Equal(1, _one.Demotions);
    }

    [Fact]
    public void What_the_system_says_of_a_thread_grows_with_what_it_does()
    {
        Assert.SkipUnless(ThreadUsage.IsKnown, "Only Linux says so.");
        var before = ThreadUsage.Read();
        using var never = new ManualResetEvent(false);
        never.WaitOne(TimeSpan.FromMilliseconds(1));
        var waited = ThreadUsage.Read();
        Assert.True(waited.Waits > before.Waits);
        Assert.True(SpinWait.SpinUntil(() => ThreadUsage.Read().Processor > waited.Processor + 1_000, TimeSpan.FromSeconds(30)), "Waited for a millisecond of work to be counted.");
    }

    private static Placement Warm(string name)
    {
        var placement = new Placement(name);
        for (int i = 0; i < 100; i++) placement.OnInline(1, 1, Placement.CheapCost);
        return placement;
    }

    private void Run(Placement code, int calls, long each, long used = 0, int waits = 0, int collections = 0)
    {
        for (int i = 0; i < calls; i++) _sut.Count(code);
        _now += calls * each;
        _usage = new ThreadUsage(_usage.Processor + used, _usage.Waits + waits, _usage.Collections + collections);
        _sut.Close(_now, 0);
    }

    private void Receive(Placement code, long each, int bytes)
    {
        _sut.Count(code);
        _now += each;
        _sut.Close(_now, bytes);
    }

    private void RunMixed(long each)
    {
        for (int i = 0; i < 16; i++) _sut.Count(i % 2 == 0 ? _one : _other);
        _now += 16 * each;
        _sut.Close(_now, 0);
    }
}
