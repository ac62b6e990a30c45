using Mux.Runtime;

namespace Mux.Core.Tests.Execution;

/// <summary>Where code runs follows from what it costs, and from nothing that passes.</summary>
public sealed class PlacementTests
{
    private const int Window = 16;
    private readonly Placement _sut;
    private long _now = 1_000_000;

    public PlacementTests() => _sut = Warm(new Placement("code", milliseconds: () => _now));

    [Fact]
    public void Code_starts_in_the_turn() => Assert.True(new Placement("code").IsInline);

    [Fact]
    public void Cheap_code_stays_in_the_turn_for_ever()
    {
        for (int i = 0; i < 100_000; i++) _sut.OnInline(Window * (Placement.CheapCost - 1), Window, Window * Placement.CheapCost);
        Assert.True(_sut.IsInline);
    }

    [Fact]
    public void Code_that_costs_50_us_leaves_the_turn_within_some_hundred_runs()
    {
        int runs = 0;
        for (; _sut.IsInline && runs < 10_000; runs += Window) _sut.OnInline(Window * 50, Window, Window * Placement.CheapCost);
        Assert.InRange(runs, 100, 500); // 8 ms of debt at 40 us a run
    }

    [Fact]
    public void The_compilation_of_the_first_runs_is_not_counted()
    {
        var sut = new Placement("code");
        sut.OnInline(50_000, 1, Placement.CheapCost);
        sut.OnInline(20_000, 1, Placement.CheapCost);
        Assert.True(sut.IsInline);
    }

    [Fact]
    public void One_preemption_does_not_put_cheap_code_out()
    {
        _sut.OnInline(1_000_000, Window, Window * Placement.CheapCost); // however long
        Assert.True(_sut.IsInline);
    }

    [Fact]
    public void Preemptions_are_forgotten_by_cheap_runs()
    {
        for (int i = 0; i < 1_000; i++)
        {
            _sut.OnInline(4_000, Window, Window * Placement.CheapCost);
            for (int window = 0; window < 50; window++) _sut.OnInline(Window, Window, Window * Placement.CheapCost);
        }

        Assert.True(_sut.IsInline);
    }

    [Fact]
    public void One_call_in_a_hundred_that_sleeps_5_ms_puts_the_method_out()
    {
        int calls = 0;
        for (; _sut.IsInline && calls < 10_000; calls += 100)
        {
            for (int i = 0; i < 99; i++) _sut.OnInline(1, 1, Placement.CheapCost);
            _sut.OnInline(5_000, 1, Placement.CheapCost);
        }

        Assert.InRange(calls, 100, 2_000);
    }

    [Fact]
    public void One_call_in_a_thousand_that_sleeps_5_ms_does_not()
    {
        for (int i = 0; i < 100_000; i++)
        {
            _sut.OnInline(1, 1, Placement.CheapCost);
            if (i % 1_000 != 0) continue;
            _sut.OnTakenOver(waits: true);
            _sut.OnInline(5_000, 1, Placement.CheapCost);
        }

        Assert.True(_sut.IsInline);
    }

    [Fact]
    public void Code_that_never_returns_is_put_out_after_some_take_overs()
    {
        int calls = 0;
        for (; _sut.IsInline && calls < 100; calls++) _sut.OnTakenOver(waits: true);
        Assert.InRange(calls, 2, 6);
    }

    [Fact]
    public void Code_tries_again_after_a_while_that_doubles_up_to_10_s()
    {
        var whiles = new List<long>();
        for (int round = 0; round < 12; round++)
        {
            PutOut();
            whiles.Add(TimeUntilBack());
        }

        Assert.Equal([20, 40, 80, 160, 320, 640, 1_280, 2_560, 5_120, 10_000, 10_000, 10_000], whiles);
        Assert.Equal(12, _sut.Demotions);
    }

    [Fact]
    public void What_was_before_is_forgotten_after_2_s_in_the_turn()
    {
        for (int round = 0; round < 5; round++)
        {
            PutOut();
            TimeUntilBack();
        }

        _now += 2_001;
        PutOut();
        Assert.Equal(20, TimeUntilBack());
    }

    [Fact]
    public void Code_whose_author_says_so_stays_in_the_turn_whatever_it_costs()
    {
        var sut = Warm(new Placement("code", staysInline: true));
        for (int i = 0; i < 100; i++) sut.OnInline(5_000, 1, Placement.CheapCost);
        Assert.True(sut.IsInline);
        Assert.Equal(0, sut.Demotions);
    }

    private static Placement Warm(Placement placement)
    {
        for (int i = 0; i < 100; i++) placement.OnInline(1, 1, Placement.CheapCost);
        return placement;
    }

    private void PutOut()
    {
        for (int i = 0; _sut.IsInline && i < 100; i++) _sut.OnInline(5_000, 1, Placement.CheapCost);
        Assert.False(_sut.IsInline);
    }

    private long TimeUntilBack()
    {
        long before = _now;
        while (!_sut.IsInline && _now - before < 100_000) _now++;
        return _now - before;
    }
}
