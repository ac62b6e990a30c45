using Mux.Backplanes;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using StackExchange.Redis;

namespace Mux.Redis.Tests.Processes;

/// <summary>What is in Redis, and what subscribers get of it.</summary>
public sealed class SharedTopicTests
{
    [Fact]
    public async Task A_server_that_comes_later_gets_what_is_retained_first_and_then_the_rest_without_a_hole()
    {
        const int Items = 1_000; // fewer than the queue of a topic: none is too slow
        await using var redis = await RedisProcess.StartAsync();
        await using var one = new Node(redis, 1);
        int last = 0;
        var followers = new List<(Node Node, Follower Follower)>();
        for (int i = 0; i < Items; i++)
        {
            last = one.Publish("a");
            if (i % 200 == 100)
            {
                var node = new Node(redis, 2 + followers.Count);
                followers.Add((node, node.Follow("a")));
            }

            if (i % 20 == 0) await Task.Yield();
        }

        foreach (var (node, follower) in followers)
        {
            await follower.GotAsync(1, last);
            var got = follower.Got.Select(item => item.Index).ToList();
            Assert.Equal(Enumerable.Range(got[0], last - got[0] + 1), got);
            Assert.True(got.Count >= 5);
            Assert.Equal(got.Select(index => index - got[0]), follower.Got.Select(item => (int)(item.Sequence - follower.Got[0].Sequence)));
            await follower.DisposeAsync();
            await node.DisposeAsync();
        }
    }

    [Fact]
    public async Task A_subscriber_continues_at_another_server_without_a_gap_and_hears_if_Redis_has_lost_its_data()
    {
        await using var redis = await RedisProcess.StartAsync();
        await using var admin = await redis.ConnectAsync();
        await using var one = new Node(redis, 1, retain: 20);
        await using var two = new Node(redis, 2, retain: 20);
        long last;
        await using (var here = one.Follow("a"))
        {
            await one.ReachesAsync("a", here);
            last = here.Got[^1].Sequence;
        }

        for (int i = 0; i < 5; i++) one.Publish("a"); // while it is away
        await Eventually.Holds(() => one.Backplane.Queued == 0, "all items in Redis");
        await using var there = new Follower(_ => two.Ticks.Subscribe("a", last));
        await two.ReachesAsync("a", there);
        Assert.Equal(Enumerable.Range(1, 6), there.Got.Select(item => (int)(item.Sequence - last)));

        await admin.GetServer(redis.Address).FlushAllDatabasesAsync();
        await using var three = new Node(redis, 3, retain: 20);
        for (int i = 0; i < 10; i++) one.Publish("a");
        await AssertMissesAsync(three, last + 6);
    }

    [Fact]
    public async Task A_subscriber_with_a_number_of_an_interruption_hears_that_items_are_missing()
    {
        await using var redis = await RedisProcess.StartAsync();
        await using var sut = new Node(redis, 1, static options => options.Timeout = Node.Soon, retain: 1_000);
        long last;
        await using (var here = sut.Follow("a"))
        {
            await sut.ReachesAsync("a", here);
            redis.Pause();
            sut.Publish("a");
            await sut.ReachesAsync(BackplaneState.Interrupted);
            for (int i = 0; i < 300; i++) sut.Publish("a");
            await sut.ReachesAsync("a", here);
            last = here.Got[^1].Sequence;
        }

        redis.Continue();
        await sut.ReachesAsync(BackplaneState.Connected);
        for (int i = 0; i < 300; i++) sut.Publish("a");
        await AssertMissesAsync(sut, last);
    }

    [Fact]
    public async Task A_subscriber_ahead_of_a_quiet_topic_hears_it_at_once()
    {
        await using var redis = await RedisProcess.StartAsync();
        await using var sut = new Node(redis, 1, retain: 20);
        await using var here = sut.Follow("a");
        await sut.ReachesAsync("a", here);
        long last = here.Got[^1].Sequence;
        await AssertMissesAsync(sut, last + 1);
        await using var two = new Node(redis, 2, retain: 20); // has no subscriber
        await AssertMissesAsync(two, last + 1);
    }

    [Fact]
    public async Task What_others_wrote_under_our_names_is_skipped_and_replaced()
    {
        await using var redis = await RedisProcess.StartAsync();
        await using var admin = await redis.ConnectAsync();
        var database = admin.GetDatabase();
        await using var one = new Node(redis, 1);
        await using var two = new Node(redis, 2);
        one.Publish("a");
        await Eventually.Holds(() => one.Backplane.Queued == 0, "the first item");
        string number = admin.GetServer(redis.Address).Keys(pattern: "mux:*a}:n").Single()!, list = number[..^1] + "r", channel = number[..^2];
        await database.StringSetAsync(number, "many");
        await database.ListRightPushAsync(list, [RedisValue.EmptyString, "x", "5 ", "7 MXT1", "99999999999999999999 x", "look 0123456789abcdef"]);
        await using Follower here = two.Follow("a");
        await one.ReachesAsync("a", here);
        foreach (string foreign in (string[])["", "x", "-1 x", "8 MXT1 and 24 bytes that mean nothing", "look 0123456789abcdef", "look "])
            await database.PublishAsync(RedisChannel.Literal(channel), foreign);
        await one.ReachesAsync("a", here);
        await database.KeyDeleteAsync(list);
        await database.StringSetAsync(list, "no list");
        await one.ReachesAsync("a", here);
        here.AssertInOrderAndOnce();
        Assert.Equal(BackplaneState.Connected, two.Backplane.State);
        Assert.True(two.Backplane.Skipped >= 8, $"{two.Backplane.Skipped} were skipped.");
        Assert.NotEmpty(two.Logs.Of("BackplaneMessageSkipped"));
        Assert.DoesNotContain(one.Logs.Entries.Concat(two.Logs.Entries), entry => entry.Name == "BackplaneInterrupted");
    }

    [Fact]
    public async Task Redis_keeps_as_many_items_as_are_retained_and_no_more()
    {
        await using var redis = await RedisProcess.StartAsync();
        await using var admin = await redis.ConnectAsync();
        await using var sut = new Node(redis, 1);
        for (int i = 0; i < 50; i++) sut.Publish("a");
        await Eventually.Holds(() => sut.Backplane.Queued == 0, "all items");
        var list = admin.GetServer(redis.Address).Keys(pattern: "mux:*a}:r").Single();
        Assert.Equal(5, await admin.GetDatabase().ListLengthAsync(list));
    }

    [Fact]
    public async Task A_subscription_is_synced_once_however_many_others_begin()
    {
        const string Channel = "groups:room";
        await using var redis = await RedisProcess.StartAsync();
        await using var one = new Node(redis, 1);
        await using var two = new Node(redis, 2);
        var probe = new Probe();
        using var subscription = one.Backplane.Subscribe(Channel, probe, retained: 0);
        await probe.Syncs.ReachAsync(1);
        foreach (var node in (Node[])[one, two, one, two])
        {
            var other = new Probe();
            using var another = node.Backplane.Subscribe(Channel, other, retained: 0);
            await other.Syncs.ReachAsync(1);
        }

        Assert.True(two.Backplane.TrySend(Channel, new byte[1]));
        await probe.Messages.ReachAsync(1); // behind all that the other subscriptions have asked for
        Assert.Equal(1, probe.Syncs.Count);
    }

    [Fact]
    public async Task A_server_is_told_the_numbers_of_what_it_has_published_and_of_nothing_else()
    {
        await using var redis = await RedisProcess.StartAsync();
        await using var one = new Node(redis, 1);
        await using var two = new Node(redis, 2);
        Probe atOne = new(), atTwo = new();
        using var first = one.Backplane.Subscribe("a", atOne, retained: 0);
        using var second = two.Backplane.Subscribe("a", atTwo, retained: 0);
        await atOne.Syncs.ReachAsync(1);
        await atTwo.Syncs.ReachAsync(1);
        for (int i = 1; i <= 3; i++)
        {
            Assert.True(one.Backplane.TryPublish("a", new byte[1], retain: 0, tag: 10 * i));
            await atTwo.Messages.ReachAsync((2 * i) - 1);
            Assert.True(two.Backplane.TryPublish("a", new byte[1], retain: 0, tag: 100 * i));
            await atOne.Messages.ReachAsync(2 * i);
        }

        long before = atOne.Got[0].Number - 1; // the first number is a time
        Assert.True(before > 0);
        foreach (var probe in (Probe[])[atOne, atTwo])
        {
            await probe.Numbers.ReachAsync(3);
            await probe.Messages.ReachAsync(6);
            Assert.Equal([1, 2, 3, 4, 5, 6], probe.Got.Select(message => message.Number - before));
        }

        Assert.Equal([(10, 1), (20, 3), (30, 5)], atOne.Published.Select(one => (one.Tag, one.Number - before)));
        Assert.Equal([(100, 2), (200, 4), (300, 6)], atTwo.Published.Select(one => (one.Tag, one.Number - before)));
    }

    [Fact]
    public async Task Retained_items_are_gone_when_nothing_is_published_for_their_time()
    {
        await using var redis = await RedisProcess.StartAsync();
        await using var admin = await redis.ConnectAsync();
        await using var sut = new Node(redis, 1, options => options.RetainFor = TimeSpan.FromSeconds(1));
        sut.Publish("a");
        await Eventually.Holds(() => sut.Backplane.Queued == 0 && admin.GetServer(redis.Address).DatabaseSize() == 0, "an empty Redis");
    }

    [Fact]
    public async Task Servers_with_other_prefixes_and_topics_with_other_names_share_nothing()
    {
        await using var redis = await RedisProcess.StartAsync();
        await using var one = new Node(redis, 1);
        await using var two = new Node(redis, 2, options => options.Prefix = "shop:eu");
        await using Follower atOne = one.Follow("a"), atTwo = two.Follow("a");
        for (int i = 0; i < 10; i++)
        {
            await one.ReachesAsync("a", atOne);
            await two.ReachesAsync("a", atTwo);
        }

        Assert.All(atOne.Got, item => Assert.Equal(1, item.Publisher));
        Assert.All(atTwo.Got, item => Assert.Equal(2, item.Publisher));
    }

    [Fact]
    public async Task A_connection_of_the_application_is_used_and_left_open()
    {
        await using var redis = await RedisProcess.StartAsync();
        await using var connection = await redis.ConnectAsync();
        await using (var one = new Node(redis, 1, options => options.Connection = connection))
        {
            await using var two = new Node(redis, 2);
            await using Follower atOne = one.Follow("a"), atTwo = two.Follow("a");
            await one.ReachesAsync("a", atTwo);
            await two.ReachesAsync("a", atOne);
            Assert.Equal($"redis://{redis.Address}/mux", one.Backplane.Name);
            _ = one.Backplane.Subscribe("groups:room", new Probe(), retained: 0); // which the end of the backplane ends
        }

        Assert.True(connection.IsConnected);
        await Eventually.Holds(() => connection.GetServer(redis.Address).SubscriptionChannels(RedisChannel.Pattern("mux:*")).Length == 0, "the end of all subscriptions");
    }

    [Fact]
    public async Task A_topic_whose_last_subscriber_has_left_has_no_subscription_at_Redis()
    {
        await using var redis = await RedisProcess.StartAsync();
        await using var admin = await redis.ConnectAsync();
        var server = admin.GetServer(redis.Address);
        await using var sut = new Node(redis, 1);
        await using (var first = sut.Follow("a"))
        {
            await sut.ReachesAsync("a", first);
            await Eventually.Holds(() => Subscriptions() == 1, "a subscription");
            await using var second = sut.Follow("a");
            await sut.ReachesAsync("a", second);
        }

        await Eventually.Holds(() => Subscriptions() == 0, "the end of the subscription");
        await using var later = sut.Follow("a");
        await sut.ReachesAsync("a", later);
        await Eventually.Holds(() => Subscriptions() == 1, "a new subscription");

        int Subscriptions() => server.SubscriptionChannels(RedisChannel.Pattern("mux:*")).Length;
    }

    [Fact]
    public async Task A_backplane_that_has_ended_takes_nothing()
    {
        await using var redis = await RedisProcess.StartAsync();
        await using var one = new Node(redis, 1);
        await using var here = one.Follow("a");
        await one.ReachesAsync("a", here);
        await one.Backplane.DisposeAsync();
        long refused = one.Backplane.Refused;
        Assert.False(one.Backplane.TrySend("a", new byte[1]));
        Assert.False(one.Backplane.TryPublish("a", new byte[1], retain: 1, tag: 1));
        Assert.Equal((refused + 2, 0), (one.Backplane.Refused, one.Backplane.Queued));
        await one.ReachesAsync("a", here);
    }

    [Fact]
    public async Task A_connection_of_the_application_keeps_nothing_of_a_backplane_that_has_ended()
    {
        await using var redis = await RedisProcess.StartAsync();
        await using var connection = await redis.ConnectAsync();
        var ended = await UseAsync(connection);
        await Eventually.Holds(
            () =>
            {
                GC.Collect();
                return !ended.IsAlive;
            },
            "a backplane that has ended to be collected");

        static async Task<WeakReference> UseAsync(ConnectionMultiplexer connection)
        {
            await using var sut = new RedisBackplane(new MuxRedisOptions { Connection = connection });
            var probe = new Probe();
            using var subscription = sut.Subscribe("a", probe, retained: 0);
            await probe.Syncs.ReachAsync(1);
            Assert.True(sut.TrySend("a", new byte[1]));
            await probe.Messages.ReachAsync(1);
            return new WeakReference(sut);
        }
    }

    [Fact]
    public async Task What_was_published_before_the_end_reaches_the_others()
    {
        await using var redis = await RedisProcess.StartAsync();
        await using var two = new Node(redis, 2);
        await using var there = two.Follow("a");
        await two.ReachesAsync("a", there);
        int last = 0;
        await using (var one = new Node(redis, 1))
        {
            for (int i = 0; i < 500; i++) last = one.Publish("a");
        }

        await there.GotAsync(1, last);
        Assert.Equal(500, there.Got.Count(item => item.Publisher == 1));
    }

    [Fact]
    public async Task Messages_without_a_number_reach_the_subscribers_of_the_moment_and_leave_no_key()
    {
        await using var redis = await RedisProcess.StartAsync();
        await using var admin = await redis.ConnectAsync();
        await using var one = new Node(redis, 1);
        await using var two = new Node(redis, 2);
        var probe = new Probe();
        using var subscription = two.Backplane.Subscribe("groups:room", probe, retained: 0);
        await probe.Syncs.ReachAsync(1);
        Assert.True(one.Backplane.TrySend("groups:room", "hello"u8.ToArray()));
        await probe.Messages.ReachAsync(1);
        Assert.Equal("hello"u8.ToArray(), probe.Got[0].Body.ToArray());
        Assert.Equal((1, 1), (one.Backplane.Published, two.Backplane.Received));
        Assert.DoesNotContain(admin.GetServer(redis.Address).Keys(pattern: "*"), key => key.ToString().Contains("room", StringComparison.Ordinal));
    }

    private static async Task AssertMissesAsync(Node node, long after)
    {
        var items = node.Ticks.Subscribe("a", after).GetAsyncEnumerator(TestContext.Current.CancellationToken);
        var error = await Assert.ThrowsAsync<MuxException>(() => items.MoveNextAsync().AsTask().Within("that items are missing"));
        Assert.Equal(MuxStatus.OutOfRange, error.Status);
    }
}
