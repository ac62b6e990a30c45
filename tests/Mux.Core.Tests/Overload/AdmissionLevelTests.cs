using Mux.Engine;
using Mux.TestSupport.Transports;

namespace Mux.Core.Tests.Overload;

public sealed class AdmissionLevelTests
{
    private const long Target = 5_000;

    private readonly AdmissionLevel _sut = new(Target);

    [Fact]
    public void All_calls_are_taken_at_first_and_while_the_queue_is_short()
    {
        Assert.Equal(1, _sut.Share);
        foreach (long least in new[] { 0, 1, Target }) _sut.OnWindows(least, 1);
        Assert.Equal(1, _sut.Share);
    }

    [Theory]
    [InlineData(Target + 1, 0.9)]
    [InlineData(10 * Target, 0.9)]
    [InlineData(10 * Target + 10, 0.8)]
    public void A_queue_above_the_target_takes_a_part_off(long least, double share)
    {
        _sut.OnWindows(least, 1);
        Assert.Equal(share, _sut.Share, 9);
    }

    [Fact]
    public void The_share_stays_while_the_queue_gets_shorter()
    {
        _sut.OnWindows(100_000, 1);
        _sut.OnWindows(89_000, 1);
        Assert.Equal(0.8, _sut.Share, 9);
        _sut.OnWindows(88_000, 1); // by less than a tenth
        Assert.Equal(0.64, _sut.Share, 9);
    }

    [Fact]
    public void Below_the_target_the_share_grows_and_faster_when_the_queue_was_empty()
    {
        for (int window = 0; window < 10; window++) _sut.OnWindows(Target + 1, 1);
        double low = _sut.Share;
        _sut.OnWindows(Target, 1);
        Assert.Equal(low * 1.05, _sut.Share, 9);
        _sut.OnWindows(0, 1);
        Assert.Equal(low * 1.05 * 1.2, _sut.Share, 9);
    }

    [Fact]
    public void Some_calls_are_always_taken_and_all_again_within_three_seconds_of_an_empty_queue()
    {
        for (int window = 0; window < 1_000; window++) _sut.OnWindows(long.MaxValue / 2, 1);
        Assert.Equal(AdmissionLevel.LeastShare, _sut.Share);
        int windows = 0;
        while (_sut.Share < 1)
        {
            _sut.OnWindows(0, 1);
            windows++;
        }

        Assert.InRange(windows, 1, 30);
    }

    [Fact]
    public void A_rest_counts_for_all_its_windows()
    {
        for (int window = 0; window < 100; window++) _sut.OnWindows(long.MaxValue / 2, 1);
        _sut.OnWindows(0, int.MaxValue);
        Assert.Equal(1, _sut.Share);
    }

    /// <summary>A queue in front of a server that does a fixed amount of work: whatever the load, most of the work is done in time, and nothing is refused afterwards.</summary>
    [Theory]
    [InlineData(1.3)]
    [InlineData(3)]
    [InlineData(10)]
    public void Under_any_load_most_of_what_the_server_can_do_is_done_in_time(double load)
    {
        const double Deadline = 0.25, Window = 0.1, Capacity = 1_000;
        var random = new Random(TestSeed.Next());
        double queued = 0, done = 0;
        for (int window = 0; window < 150; window++)
        {
            bool isOverloaded = window < 100;
            double offered = (isOverloaded ? load : 0.5) * Capacity * Window * (0.9 + 0.2 * random.NextDouble());
            double began = queued / Capacity;
            queued = Math.Min(queued + offered * _sut.Share, Capacity * Deadline); // what waits longer has expired
            double worked = Math.Min(queued, Capacity * Window);
            queued -= worked;
            if (began < Deadline * 0.9 && window is >= 20 and < 100) done += worked;
            _sut.OnWindows((long)(Math.Min(began, queued / Capacity) * 1_000_000), 1);
        }

        Assert.InRange(done / (Capacity * Window * 80), 0.7, 1);
        Assert.Equal(1, _sut.Share);
    }
}
