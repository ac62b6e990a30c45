using Mux.Backplanes;
using Mux.TestSupport.EndToEnd;
using StackExchange.Redis;

namespace Mux.Redis.Tests.Processes;

/// <summary>What subscribers get while Redis is away, slow or unwilling, and afterwards.</summary>
public sealed class InterruptionTests
{
    [Fact]
    public async Task Servers_go_on_alone_while_Redis_is_away_and_together_when_it_is_back()
    {
        await using var redis = await RedisProcess.StartAsync();
        await using var one = new Node(redis, 1);
        await using var two = new Node(redis, 2);
        await using Follower atOne = one.Follow("a"), atTwo = two.Follow("a");
        await one.ReachesAsync("a", atTwo);
        await two.ReachesAsync("a", atOne);

        await redis.KillAsync();
        foreach (var node in (Node[])[one, two]) await node.ReachesAsync(BackplaneState.Interrupted);
        for (int i = 0; i < 100; i++) await one.ReachesAsync("a", atOne); // its own subscriber has each at once
        int missed = one.Publish("a");
        Assert.True(one.Backplane.Refused >= 101);
        Assert.Equal(1, one.Reading("mux.backplane.interrupted"));
        Assert.Single(one.Logs.Of("BackplaneInterrupted"));

        await redis.LaunchAsync(); // empty
        foreach (var node in (Node[])[one, two]) await node.ReachesAsync(BackplaneState.Connected);
        await one.ReachesAsync("a", atTwo);
        await two.ReachesAsync("a", atOne);
        await one.Logs.ReachAsync("BackplaneConnected", 2);
        Assert.Equal(0, one.Reading("mux.backplane.interrupted"));
        atOne.AssertInOrderAndOnce();
        atTwo.AssertInOrderAndOnce();
        Assert.DoesNotContain(atTwo.Got, item => item.Publisher == 1 && item.Index == missed);
        Assert.Equal(Enumerable.Range(1, one.Publish("a") - 1), atOne.Got.Where(item => item.Publisher == 1).Select(item => item.Index).Take(missed + 1));
    }

    [Fact]
    public async Task A_server_that_starts_without_Redis_serves_and_joins_later()
    {
        await using var redis = RedisProcess.NotStarted();
        await using var sut = new Node(redis, 1, static options => options.Timeout = Node.Soon);
        await sut.ReachesAsync(BackplaneState.Interrupted);
        await using var here = sut.Follow("a");
        await sut.ReachesAsync("a", here);
        await redis.LaunchAsync();
        await sut.ReachesAsync(BackplaneState.Connected);
        await using var other = new Node(redis, 2);
        await using var there = other.Follow("a");
        await sut.ReachesAsync("a", there);
        await other.ReachesAsync("a", here);
    }

    [Fact]
    public async Task A_Redis_that_stops_to_answer_delays_no_publisher_and_fills_no_memory()
    {
        const int Items = 20_000;
        const int Most = 500;
        await using var redis = await RedisProcess.StartAsync();
        await using var sut = new Node(redis, 1, static options => (options.MaxQueuedMessages, options.Timeout) = (Most, Node.Soon));
        await using var other = new Node(redis, 2);
        await using Follower here = sut.Follow("a"), there = other.Follow("a");
        await sut.ReachesAsync("a", there);

        redis.Pause();
        int last = 0;
        for (int i = 0; i < Items; i++)
        {
            last = sut.Publish("a");
            Assert.InRange(sut.Backplane.Queued, 0, Most);
            if (i % 500 == 499) await here.GotAsync(1, last); // a subscriber that reads misses nothing
        }

        Assert.Equal(Enumerable.Range(1, last), here.Got.Where(item => item.Publisher == 1).Select(item => item.Index));
        Assert.True(sut.Backplane.Refused >= Items - (2 * Most));
        await sut.ReachesAsync(BackplaneState.Interrupted);

        redis.Continue();
        await sut.ReachesAsync(BackplaneState.Connected);
        await sut.ReachesAsync("a", there);
        here.AssertInOrderAndOnce();
        there.AssertInOrderAndOnce();
        Assert.Equal(0, sut.Backplane.Queued);
    }

    [Fact]
    public async Task A_Redis_that_is_full_takes_no_items_and_still_carries_calls_of_groups()
    {
        await using var redis = await RedisProcess.StartAsync();
        await using var admin = await redis.ConnectAsync();
        await using var sut = new Node(redis, 1);
        await using var other = new Node(redis, 2);
        await using Follower here = sut.Follow("a"), there = other.Follow("a");
        await sut.ReachesAsync("a", there);
        var calls = new Probe();
        using var subscription = other.Backplane.Subscribe("room", calls, retained: 0);
        await calls.Syncs.ReachAsync(1);

        await admin.GetServer(redis.Address).ConfigSetAsync("maxmemory", "1");
        int last = 0;
        for (int i = 0; i < 100; i++)
        {
            last = sut.Publish("a");
            Assert.True(sut.Backplane.TrySend("room", new byte[] { 1 }));
        }

        await here.GotAsync(1, last); // its own subscriber has all
        await calls.Messages.ReachAsync(100);
        Assert.Equal(BackplaneState.Connected, sut.Backplane.State);
        Assert.Equal(100, sut.Backplane.Refused);
        Assert.Empty(sut.Logs.Of("BackplaneInterrupted"));
        Assert.Contains("OOM", Assert.Single(sut.Logs.Of("BackplaneMessageRejected")).Text, StringComparison.Ordinal);

        await using var late = new Node(redis, 3); // comes while it is full
        await late.ReachesAsync(BackplaneState.Connected);
        Assert.True(late.Backplane.TrySend("room", new byte[] { 1 }));
        await calls.Messages.ReachAsync(101);

        await admin.GetServer(redis.Address).ConfigSetAsync("maxmemory", "0");
        await sut.ReachesAsync("a", there);
        here.AssertInOrderAndOnce();
        there.AssertInOrderAndOnce();
        Assert.Equal(Enumerable.Range(1, last + 1), here.Got.Where(item => item.Publisher == 1).Select(item => item.Index));
    }

    [Fact]
    public async Task A_local_subscriber_gets_items_while_Redis_hangs_and_does_not_count_as_away()
    {
        await using var redis = await RedisProcess.StartAsync();
        await using var sut = new Node(redis, 1, static options => options.Timeout = TimeSpan.FromSeconds(30));
        await using var other = new Node(redis, 2);
        await using Follower here = sut.Follow("a"), there = other.Follow("a");
        await sut.ReachesAsync("a", there);

        redis.Pause();
        for (int i = 0; i < 10; i++) await sut.ReachesAsync("a", here);
        await using var late = sut.Follow("b"); // subscribes while it hangs
        await sut.ReachesAsync("b", late);
        Assert.Equal(BackplaneState.Connected, sut.Backplane.State);

        redis.Continue();
        await sut.ReachesAsync("a", there);
        await sut.ReachesAsync("b", late);
        foreach (var follower in (Follower[])[here, there, late]) follower.AssertInOrderAndOnce();
        Assert.Equal(here.Got.Where(item => item.Publisher == 1).Select(item => item.Index), there.Got.Where(item => item.Publisher == 1).Select(item => item.Index));
        Assert.Empty(sut.Logs.Of("BackplaneInterrupted"));
    }

    [Fact]
    public async Task A_connection_that_Redis_ends_is_made_again_with_all_subscriptions()
    {
        await using var redis = await RedisProcess.StartAsync();
        await using var admin = await redis.ConnectAsync();
        await using var sut = new Node(redis, 1);
        await using var other = new Node(redis, 2);
        var followers = Enumerable.Range(0, 600).Select(i => (Key: $"{i}", Follower: sut.Follow($"{i}"))).ToList();
        foreach (var (key, follower) in followers) await other.ReachesAsync(key, follower);
        foreach (var kind in (ClientType[])[ClientType.PubSub, ClientType.Normal])
        {
            long before = sut.Logs.Of("BackplaneConnected").Count;
            await admin.GetDatabase().ExecuteAsync("CLIENT", "KILL", "TYPE", kind == ClientType.PubSub ? "pubsub" : "normal", "SKIPME", "yes");
            await sut.Logs.ReachAsync("BackplaneConnected", (int)before + 1);
            await other.ReachesAsync(BackplaneState.Connected);
            foreach (var (key, follower) in followers) await other.ReachesAsync(key, follower);
        }

        foreach (var (_, follower) in followers)
        {
            follower.AssertInOrderAndOnce();
            await follower.DisposeAsync();
        }
    }

    [Fact]
    public async Task After_each_interruption_all_subscriptions_are_synced_again_and_get_each_message_once()
    {
        const int Channels = 300, Interruptions = 3;
        await using var redis = await RedisProcess.StartAsync();
        await using var admin = await redis.ConnectAsync();
        await using var sut = new Node(redis, 1);
        var probes = Enumerable.Range(0, Channels).Select(static i => (Channel: $"{i}", Probe: new Probe())).ToList();
        var subscriptions = probes.ConvertAll(one => sut.Backplane.Subscribe(one.Channel, one.Probe, retained: 0));
        foreach (var (_, probe) in probes) await probe.Syncs.ReachAsync(1);
        int sent = 0;
        for (int life = 1; life <= Interruptions; life++)
        {
            await admin.GetDatabase().ExecuteAsync("CLIENT", "KILL", "TYPE", life % 2 == 0 ? "normal" : "pubsub", "SKIPME", "yes");
            foreach (var (channel, probe) in probes)
            {
                await probe.Syncs.ReachAsync(1 + life);
                long before = probe.Messages.Count;
                await Eventually.Holds(() => SendsTo(channel) && probe.Messages.Count > before, $"a message in {channel} after {life} interruptions");
            }
        }

        foreach (var (_, probe) in probes)
        {
            var got = probe.Got.Select(static message => BitConverter.ToInt32(message.Body.Span)).ToList();
            Assert.Equal(got.Distinct(), got);
        }

        subscriptions.ForEach(static subscription => subscription.Dispose());

        bool SendsTo(string channel) => sut.Backplane.TrySend(channel, BitConverter.GetBytes(++sent));
    }
}
