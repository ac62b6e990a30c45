using Mux.Backplanes;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;

namespace Mux.Redis.Tests.Processes;

/// <summary>What a publisher is told that awaits its items.</summary>
public sealed class PublishResultTests
{
    private const int Items = 5_000;

    [Fact]
    public async Task A_flood_is_told_exactly_what_other_servers_do_not_get()
    {
        await using var redis = await RedisProcess.StartAsync();
        await using var sut = new Node(redis, 1, static options => options.MaxQueuedMessages = 16);
        await using var other = new Node(redis, 2);
        await using var there = other.Follow("b");
        await sut.ReachesAsync("b", there);

        var results = new List<Task<MuxPublishResult>>();
        for (int index = 1; index <= Items; index++) results.Add(sut.Ticks.PublishAsync("b", Tick(index), TestContext.Current.CancellationToken).AsTask());
        var told = await Task.WhenAll(results).Within("what became of all items");
        Assert.All(told, result => Assert.Equal(result.IsTaken, result.Reason.Length == 0));
        Assert.Equal(sut.Backplane.Refused, told.Count(result => !result.IsTaken));
        Assert.Contains(told, result => !result.IsTaken && result.Reason.Contains("too slow", StringComparison.Ordinal));
        await Eventually.Holds(
            () => there.Got.Count(static item => item.Publisher == 9) + other.Ticks.GetStatistics().Missed == told.Count(result => result.IsTaken),
            "what was taken at the other server");

        for (int index = 1; index <= Items / 10; index++)
            Assert.True((await sut.Ticks.PublishAsync("b", Tick(index), TestContext.Current.CancellationToken)).IsTaken); // one that awaits floods nothing
    }

    [Fact]
    public async Task A_Redis_that_is_full_or_away_is_told_with_the_reason()
    {
        await using var redis = await RedisProcess.StartAsync();
        await using var admin = await redis.ConnectAsync();
        await using var sut = new Node(redis, 1);
        await sut.ReachesAsync(BackplaneState.Connected);
        Assert.True((await sut.Ticks.PublishAsync("a", Tick(1), TestContext.Current.CancellationToken)).IsTaken);

        await admin.GetServer(redis.Address).ConfigSetAsync("maxmemory", "1");
        var full = await sut.Ticks.PublishAsync("a", Tick(2), TestContext.Current.CancellationToken);
        Assert.False(full.IsTaken);
        Assert.Contains("OOM", full.Reason, StringComparison.Ordinal);

        await redis.KillAsync();
        await sut.ReachesAsync(BackplaneState.Interrupted);
        var away = await sut.Ticks.PublishAsync("a", Tick(3), TestContext.Current.CancellationToken);
        Assert.False(away.IsTaken);
        Assert.Contains("is interrupted", away.Reason, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Items_of_this_process_alone_are_taken()
    {
        var sut = new MuxTopics<string, SharedTick>();
        await using var items = sut.Subscribe("a").GetAsyncEnumerator(TestContext.Current.CancellationToken);
        Assert.True((await sut.PublishAsync("a", Tick(1), TestContext.Current.CancellationToken)).IsTaken);
        Assert.True(await items.MoveNextAsync());
    }

    private static SharedTick Tick(int index) => new() { Publisher = 9, Index = index };
}
