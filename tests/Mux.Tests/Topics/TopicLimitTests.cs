namespace Mux.Tests.Topics;

/// <summary>What topics keep, and what they refuse.</summary>
public sealed class TopicLimitTests
{
    [Fact]
    public void Items_that_nobody_gets_are_not_kept()
    {
        var sut = new MuxTopics<int, string>();
        for (int key = 0; key < 1_000; key++) sut.Publish(key, "a");
        Assert.Equal(new MuxTopicStatistics(1_000, 0, 0, 0, 0, 0, 0), sut.GetStatistics());
    }

    [Fact]
    public async Task The_topic_that_was_used_longest_ago_is_forgotten_first()
    {
        var sut = new MuxTopics<int, string>(new MuxTopicOptions { Retain = 1, MaxIdleTopics = 3 });
        for (int key = 1; key <= 3; key++) sut.Publish(key, "a");
        sut.Publish(1, "b");
        sut.Publish(4, "a");
        Assert.Equal(3 * 256, sut.GetStatistics().KeptBytes);
        Assert.False(await HasItemAsync(sut, 2));
        foreach (int key in (int[])[1, 3, 4]) Assert.True(await HasItemAsync(sut, key));
    }

    [Fact]
    public async Task Bytes_beyond_the_limit_are_dropped_from_idle_topics_first_and_then_from_the_one_that_grows()
    {
        var sut = new MuxTopics<int, string>(new MuxTopicOptions { Retain = 1_000, MaxBytes = 65_536 });
        for (int key = 0; key < 10; key++) sut.Publish(key, "a");
        for (int i = 0; i < 1_000; i++) sut.Publish(99, "b");
        Assert.InRange(sut.GetStatistics().KeptBytes, 65_536 - 256, 65_536);
        Assert.False(await HasItemAsync(sut, 0));
        Assert.True(await HasItemAsync(sut, 99));
    }

    [Fact]
    public async Task Subscribers_of_this_process_get_what_is_retained_and_then_what_comes_until_they_cancel()
    {
        var sut = new MuxTopics<string, string>(new MuxTopicOptions { Retain = 2 });
        foreach (string item in (string[])["a", "b", "c"]) sut.Publish("k", item);
        using var cancellation = new CancellationTokenSource();
        await using var items = sut.Subscribe("k").GetAsyncEnumerator(cancellation.Token);
        List<string> got = [];
        for (int i = 0; i < 2 && await items.MoveNextAsync(); i++) got.Add(items.Current);
        var next = items.MoveNextAsync();
        Assert.False(next.IsCompleted);
        sut.Publish("other", "x");
        sut.Publish("k", "d");
        Assert.True(await next);
        Assert.Equal(["b", "c", "d"], [.. got, items.Current]);
        next = items.MoveNextAsync();
        await cancellation.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await next);
        Assert.Equal(0, sut.GetStatistics().Subscribers);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public async Task A_subscription_whose_token_is_cancelled_before_it_begins_ends_at_once(int retain)
    {
        var sut = new MuxTopics<string, string>(new MuxTopicOptions { Retain = retain });
        sut.Publish("k", "a");
        await using var items = sut.Subscribe("k").GetAsyncEnumerator(new CancellationToken(canceled: true));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await items.MoveNextAsync());
        Assert.Equal(0, sut.GetStatistics().Subscribers);
    }

    [Fact]
    public async Task Publishers_on_many_threads_give_each_item_a_number_of_its_own()
    {
        const int Publishers = 8;
        const int Items = 1_000;
        var sut = new MuxTopics<int, Tick>(new MuxTopicOptions { Queue = 1024, Retain = 1024 });
        await Parallel.ForAsync(0, Publishers, (publisher, _) =>
        {
            for (int i = 0; i < Items; i++) sut.Publish(0, new Tick { Price = (publisher * Items) + i });
            return ValueTask.CompletedTask;
        });
        await using var items = sut.Subscribe(0).GetAsyncEnumerator(TestContext.Current.CancellationToken);
        for (int i = 0; i < 1024; i++)
        {
            Assert.True(await items.MoveNextAsync());
            Assert.Equal((Publishers * Items) - 1024 + i + 1, items.Current.Sequence);
        }
    }

    [Theory]
    [InlineData("Queue: '0' is not allowed: expected 1 to 1024 items.")]
    [InlineData("Queue: '1025' is not allowed: expected 1 to 1024 items.")]
    [InlineData("Retain: '-1' is not allowed: expected 0 to 1024 items.")]
    [InlineData("Retain: '1025' is not allowed: expected 0 to 1024 items.")]
    [InlineData("WhenSlow: '9' is not allowed: expected DropOldest, KeepLatest or End.")]
    [InlineData("MaxBytes: '65535' is not allowed: expected 65536 to 4294967296 bytes.")]
    [InlineData("MaxIdleTopics: '0' is not allowed: expected 1 to 10000000 topics.")]
    public void An_option_out_of_range_is_refused_by_name(string expected)
    {
        string value = expected.Split('\'')[1];
        var options = new MuxTopicOptions();
        var property = typeof(MuxTopicOptions).GetProperty(expected.Split(':')[0])!;
        property.SetValue(options, property.PropertyType.IsEnum ? Enum.Parse(property.PropertyType, value) : Convert.ChangeType(value, property.PropertyType, null));
        var error = Assert.Throws<ArgumentException>(() => new MuxTopics<int, string>(options));
        Assert.Contains(expected, error.Message, StringComparison.Ordinal);
    }

    private static async Task<bool> HasItemAsync(MuxTopics<int, string> topics, int key)
    {
        using var cancellation = new CancellationTokenSource();
        await using var items = topics.Subscribe(key).GetAsyncEnumerator(cancellation.Token);
        var next = items.MoveNextAsync().AsTask();
        bool has = next.IsCompleted;
        await cancellation.CancelAsync();
        await next.ContinueWith(_ => { }, TaskScheduler.Default);
        return has;
    }
}
