using Mux.Discovery;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;

namespace Mux.Core.Tests.Discovery;

/// <summary>When a source is told to ask again.</summary>
[Collection(nameof(ProcessWideCounters))]
public sealed class EndpointRefreshTests
{
    private static readonly TimeSpan s_interval = TimeSpan.FromSeconds(15);

    private readonly ManualTime _time = new();
    private readonly EndpointRefresh _sut;

    public EndpointRefreshTests() => _sut = new EndpointRefresh(_time);

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Waits_that_end_by_time_leave_nothing_behind(bool isPoll)
    {
        const int Waits = 10_000;
        await WaitAsync(100);
        long before = GC.GetTotalMemory(forceFullCollection: true);
        await WaitAsync(Waits);
        long kept = GC.GetTotalMemory(forceFullCollection: true) - before;
        Assert.True(kept < 20 * Waits, $"{Waits} waits keep {kept} bytes");

        async Task WaitAsync(int count)
        {
            for (int i = 0; i < count; i++)
            {
                var wait = Begin(isPoll, Token);
                _time.Advance(s_interval);
                await wait.Within("the end of the interval");
            }
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_request_ends_the_wait_once_and_counts_if_nobody_waits(bool isPoll)
    {
        _time.Advance(s_interval);
        var sut = Begin(isPoll, Token);
        _sut.Request();
        await sut.Within("the requested look");
        var next = Begin(isPoll, Token);
        Assert.False(next.IsCompleted);
        _time.Advance(s_interval);
        await next.Within("the end of the interval");

        _time.Advance(EndpointRefresh.MinInterval);
        _sut.Request();
        _sut.Request();
        await Begin(isPoll, Token).Within("the look that was requested before");
        Assert.False(Begin(isPoll, Token).IsCompleted);
    }

    [Fact]
    public async Task Only_a_source_that_asks_by_time_is_polled_before_its_time()
    {
        _time.Advance(s_interval);
        _sut.RequestPoll(); // nobody waits
        var told = Begin(isPoll: false, Token);
        _sut.RequestPoll();
        Assert.False(told.IsCompleted);

        var asking = Begin(isPoll: true, Token);
        _sut.RequestPoll();
        await asking.Within("the poll");
    }

    [Fact]
    public async Task A_source_that_was_given_up_does_not_end_the_wait_of_the_next_one()
    {
        _time.Advance(s_interval);
        using var given = new CancellationTokenSource();
        var old = Begin(isPoll: true, given.Token);
        var sut = Begin(isPoll: true, Token);
        await given.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => old);
        Assert.False(sut.IsCompleted);
        _sut.RequestPoll();
        await sut.Within("the poll");
    }

    private Task Begin(bool isPoll, CancellationToken cancellationToken) =>
        isPoll ? _sut.WaitForPollAsync(s_interval, cancellationToken) : _sut.WaitAsync(s_interval, cancellationToken);
}
