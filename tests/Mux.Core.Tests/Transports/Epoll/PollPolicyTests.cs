using Mux.Runtime;

namespace Mux.Core.Tests.Transports.Epoll;

/// <summary>When a loop polls before it sleeps. Time is in microseconds and the test's.</summary>
public sealed class PollPolicyTests
{
    private const long Second = 1_000_000;
    private const long PollTime = 20;

    private readonly PollPlace _place = new();
    private readonly PollPolicy _sut;
    private long _now = Second;

    public PollPolicyTests() => _sut = Make();

    [Fact]
    public void A_poll_that_finds_nothing_ends_after_its_time()
    {
        Assert.True(_sut.TryBegin(_now));
        Assert.True(_sut.Continue(_now + 19));
        Assert.False(_sut.Continue(_now + 20));
        _sut.End(_now + 20, hit: false);
        Assert.Equal((1, 0, 0), (_sut.Polls, _sut.Hits, _sut.Preempted));
    }

    [Theory]
    [InlineData(0, 8)]
    [InlineData(PollTime, 1)]
    public void Without_time_or_with_one_processor_nothing_is_polled(long pollTime, int processors)
    {
        var sut = new PollPolicy(pollTime, Second, processors, _place);
        Assert.False(sut.IsOn);
        Assert.False(sut.TryBegin(_now));
    }

    [Fact]
    public void One_loop_polls_at_a_time()
    {
        var other = Make();
        Assert.True(_sut.TryBegin(_now));
        Assert.False(other.TryBegin(_now));
        _sut.End(_now, hit: true);
        Assert.True(other.TryBegin(_now));
    }

    [Fact]
    public void While_polls_hit_every_sleep_is_preceded_by_one()
    {
        for (int i = 0; i < 100_000; i++) Assert.True(Sleep(hit: true, pause: 5));
        Assert.Equal((100_000, 100_000), (_sut.Polls, _sut.Hits));
    }

    [Fact]
    public void Polls_that_stop_hitting_become_rare_and_come_back_when_one_hits()
    {
        for (int i = 0; i < 16; i++) Assert.True(Sleep(hit: false, pause: 1_000));
        Assert.Equal(10, Enumerable.Range(0, 320).Count(_ => Sleep(hit: false, pause: 1_000)));
        while (!Sleep(hit: true, pause: 1_000))
        {
        }

        Assert.True(Sleep(hit: true, pause: 1_000));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void At_most_a_tenth_of_any_second_is_polled_in_vain(int sleepsPerHit)
    {
        var missed = new Queue<long>(); // when each poll in vain began
        long most = 0;
        for (int i = 0; _now < 10 * Second; i++)
        {
            bool hit = i % sleepsPerHit == 1;
            long start = _now;
            if (!Sleep(hit, pause: 1) || hit) continue;
            missed.Enqueue(start);
            while (missed.Peek() < _now - Second) missed.Dequeue();
            most = Math.Max(most, missed.Count * PollTime);
        }

        Assert.InRange(most, 1, Second / 10);
    }

    [Fact]
    public void A_thread_preempted_while_it_polls_polls_no_more_for_a_while_that_doubles_each_time()
    {
        foreach (int milliseconds in new[] { 5, 10, 20, 40, 80, 160, 320, 640, 1_280, 1_280 })
        {
            Assert.True(_sut.TryBegin(_now));
            Assert.False(_sut.Continue(_now += 101));
            _sut.End(_now, hit: false);
            Assert.False(_sut.TryBegin(_now + (milliseconds * 1_000) - 1));
            _now += milliseconds * 1_000;
        }

        Assert.Equal(10, _sut.Preempted);

        // Calm for longer than that: the next one counts as the first.
        _now += 10 * Second;
        Assert.True(_sut.TryBegin(_now));
        _sut.End(_now += 101, hit: true);
        Assert.False(_sut.TryBegin(_now + 4_999));
        Assert.True(_sut.TryBegin(_now + 5_000));
    }

    private PollPolicy Make() => new(PollTime, Second, processors: 2, _place);

    /// <summary>One sleep, with a poll before it if the policy wants it.</summary>
    private bool Sleep(bool hit, long pause)
    {
        bool polls = _sut.TryBegin(_now);
        if (polls)
        {
            _now += hit ? 1 : PollTime;
            if (!hit) Assert.False(_sut.Continue(_now));
            _sut.End(_now, hit);
        }

        _now += pause;
        return polls;
    }
}
