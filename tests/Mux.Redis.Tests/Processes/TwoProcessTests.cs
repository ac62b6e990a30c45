using Mux.TestSupport.EndToEnd;
using StackExchange.Redis;

namespace Mux.Redis.Tests.Processes;

/// <summary>Two servers in processes of their own, over one Redis.</summary>
public sealed class TwoProcessTests
{
    [Fact]
    public async Task Subscribers_of_both_servers_get_all_items_once_in_order_and_with_the_same_numbers()
    {
        const int Rounds = 20;
        const int Items = 100; // of each round and publisher; more could be too much for a slow subscriber
        await using var redis = await RedisProcess.StartAsync();
        await using var one = await TicksProcess.StartAsync(redis);
        await using var two = await TicksProcess.StartAsync(redis);
        TicksProcess[] servers = [one, two];
        string[] keys = ["a", "b"];
        var followers = keys.SelectMany(key => servers.Select(server => (Key: key, Follower: new Follower(token => server.Ticks.Watch(key, token))))).ToList();
        foreach (string key in keys) await BeginAsync(key, servers, [.. followers.Where(one => one.Key == key).Select(one => one.Follower)]);

        for (int round = 0; round < Rounds; round++)
        {
            int first = 1_000 + (round * Items);
            await Task.WhenAll(keys.SelectMany(key => servers.Select((server, i) => server.Ticks.Publish(key, i + 1, first, Items).AsTask())));
            foreach (var (_, follower) in followers)
            {
                for (int publisher = 1; publisher <= 2; publisher++) await follower.GotAsync(publisher, first + Items - 1);
            }
        }

        foreach (var (_, follower) in followers)
        {
            follower.AssertInOrderAndOnce();
            for (int publisher = 1; publisher <= 2; publisher++)
            {
                Assert.Equal(Enumerable.Range(1_000, Rounds * Items),
                    follower.Got.Where(item => item.Publisher == publisher && item.Index >= 1_000).Select(item => item.Index));
            }
        }

        foreach (string key in keys)
        {
            var both = followers.Where(one => one.Key == key).Select(one => one.Follower.Got.Where(item => item.Index >= 1_000).ToList()).ToList();
            var first = both[0].Select(item => (item.Publisher, item.Index, item.Sequence)).ToList();
            Assert.Equal(first, both[1].Select(item => (item.Publisher, item.Index, item.Sequence)));
            Assert.Equal(Enumerable.Range(0, first.Count).Select(i => first[0].Sequence + i), first.Select(item => item.Sequence));
        }

        foreach (var (_, follower) in followers) await follower.DisposeAsync();
    }

    [Fact]
    public async Task A_server_that_is_killed_leaves_nothing_behind()
    {
        await using var redis = await RedisProcess.StartAsync();
        await using var admin = await redis.ConnectAsync();
        await using var one = await TicksProcess.StartAsync(redis);
        await using var two = await TicksProcess.StartAsync(redis);
        await using (var follower = new Follower(token => one.Ticks.Watch("a", token)))
        {
            await two.Ticks.Publish("a", 2, 1, 1, TestContext.Current.CancellationToken);
            await follower.GotAsync(2, 1);
            var server = admin.GetServer(redis.Address);
            Assert.Single(await server.SubscriptionChannelsAsync(RedisChannel.Pattern("mux:*")));
            await one.KillAsync();
            await Eventually.Holds(() => server.SubscriptionChannels(RedisChannel.Pattern("mux:*")).Length == 0, "the end of the subscription");
        }

        await two.Ticks.Publish("a", 2, 1_000, 10, TestContext.Current.CancellationToken);
        var keys = admin.GetServer(redis.Address).Keys(pattern: "*").ToList();
        Assert.NotEmpty(keys);
        foreach (var key in keys)
        {
            var left = await admin.GetDatabase().KeyTimeToLiveAsync(key);
            if (left is null) Assert.False(await admin.GetDatabase().KeyExistsAsync(key), $"{key} never expires.");
        }

        await using var late = new Follower(token => two.Ticks.Watch("a", token));
        await late.GotAsync(2, 1_009);
        Assert.Equal(Enumerable.Range(1_005, 5), late.Got.Select(item => item.Index));
    }

    /// <summary>Publishes an item at each server, and waits until all followers have it, retained or not: their subscriptions are in force.</summary>
    private static async Task BeginAsync(string key, TicksProcess[] servers, Follower[] followers)
    {
        for (int publisher = 1; publisher <= servers.Length; publisher++)
        {
            await servers[publisher - 1].Ticks.Publish(key, publisher, 1, 1);
            foreach (var follower in followers) await follower.GotAsync(publisher, 1);
        }
    }
}
