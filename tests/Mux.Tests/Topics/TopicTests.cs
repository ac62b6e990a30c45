using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Tests.Filters;

namespace Mux.Tests.Topics;

/// <summary>What subscribers of a server's topics get.</summary>
public sealed class TopicTests : EndToEndTests
{
    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Every_subscriber_gets_every_item_in_order_and_it_is_encoded_once(TransportKind kind)
    {
        const int Subscribers = 20;
        const int Items = 500;
        var scene = Begin(kind);
        var (ticker, sut) = Start(scene, new MuxTopicOptions { Queue = 1024 });
        var watches = new List<Watch>();
        for (int i = 0; i < Subscribers; i++) watches.Add(await Watch.BeginAsync(ticker, token => sut.Watch("a", token)));
        for (int price = 0; price < Items; price++) ticker.Publish("a", price);
        foreach (var watch in watches) Assert.Equal(Enumerable.Range(0, Items), (await watch.TakeAsync(Items)).Select(tick => tick.Price));
        foreach (var watch in watches) Assert.Equal(Enumerable.Range(1, Items), watch.Got.Select(tick => (int)tick.Sequence));
        var statistics = ticker.Ticks.GetStatistics();
        Assert.Equal((Items, Items, Subscribers), ((int)statistics.Published, (int)statistics.Encoded, statistics.Subscribers));
        Assert.Equal((Subscribers * Items, 0), ((int)statistics.Delivered, (int)statistics.Missed));
        foreach (var watch in watches) await watch.DisposeAsync();
        await Eventually.Holds(() => ticker.Ticks.GetStatistics() is { Subscribers: 0, KeptBytes: 0 }, "the end of all subscriptions");
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_subscriber_gets_what_is_retained_and_then_the_rest_without_a_hole(TransportKind kind)
    {
        const int Items = 600; // as many fit into the credit of a stream that is not read
        var scene = Begin(kind);
        var (ticker, sut) = Start(scene, new MuxTopicOptions { Queue = 1024, Retain = 5 });
        var publisher = Task.Run(
            async () =>
            {
                for (int price = 0; price < Items; price++)
                {
                    ticker.Publish("a", price);
                    if (price % 10 == 0) await Task.Yield();
                }
            },
            TestContext.Current.CancellationToken);
        var watches = new List<Watch>();
        while (!publisher.IsCompleted) watches.Add(await Watch.BeginAsync(ticker, token => sut.Watch("a", token)));
        await publisher;
        watches.Add(await Watch.BeginAsync(ticker, token => sut.Watch("a", token)));
        foreach (var watch in watches)
        {
            await watch.TakeUntilAsync(tick => tick.Price == Items - 1);
            Assert.Equal(Enumerable.Range(watch.Got[0].Price, watch.Got.Count), watch.Got.Select(tick => tick.Price));
            Assert.True(watch.Got.Count >= 5);
            await watch.DisposeAsync();
        }

        Assert.Equal(5, watches[^1].Got.Count);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_subscriber_that_never_reads_misses_items_and_delays_no_other(TransportKind kind)
    {
        const int Items = 5_000;
        var scene = Begin(kind);
        var (ticker, sut) = Start(scene, new MuxTopicOptions { Queue = 16 });
        await using var stuck = await Watch.BeginAsync(ticker, token => scene.Channels[0].CreateProxy<ITicker>().Watch("a", token));
        await using var watch = await Watch.BeginAsync(ticker, token => sut.Watch("a", token));
        for (int price = 0; price < Items; price++)
        {
            ticker.Publish("a", price, size: 1_000);
            if (price % 8 == 7) await watch.TakeUntilAsync(tick => tick.Price == price);
        }

        Assert.Equal(Enumerable.Range(0, Items), watch.Got.Select(tick => tick.Price));
        Assert.InRange(ticker.Ticks.GetStatistics().KeptBytes, 1, 17 * 1_200);
        Assert.True(ticker.Ticks.GetStatistics().Delivered < 2 * Items);
        await stuck.TakeUntilAsync(tick => tick.Price == Items - 1);
        Assert.Equal(2 * Items, ticker.Ticks.GetStatistics().Delivered + ticker.Ticks.GetStatistics().Missed);
        Assert.Equal(stuck.Got.Count, stuck.Got.Select(tick => tick.Price).Distinct().Count());
        Assert.Equal(stuck.Got.Select(tick => tick.Price).Order(), stuck.Got.Select(tick => tick.Price));
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_subscriber_that_reads_late_gets_the_latest_item_if_so_chosen(TransportKind kind)
    {
        const int Items = 5_000;
        var scene = Begin(kind);
        var (ticker, sut) = Start(scene, new MuxTopicOptions { Queue = 64, WhenSlow = MuxSlowSubscriber.KeepLatest });
        await using var stuck = await Watch.BeginAsync(ticker, token => sut.Watch("a", token));
        for (int price = 0; price < Items; price++) ticker.Publish("a", price, size: 1_000);
        await Eventually.Holds(() => ticker.Ticks.GetStatistics().Delivered > 0, "the first item");
        await stuck.TakeUntilAsync(tick => tick.Price == Items - 1);
        Assert.InRange(stuck.Got.Count, 1, 200); // what fits into the credit of a stream, and the latest
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_subscriber_that_may_miss_nothing_fails_when_too_many_items_wait_for_it(TransportKind kind)
    {
        var scene = Begin(kind);
        var (ticker, sut) = Start(scene, new MuxTopicOptions { Queue = 16, WhenSlow = MuxSlowSubscriber.End });
        await using var stuck = await Watch.BeginAsync(ticker, token => sut.Watch("a", token));
        for (int price = 0; ticker.Ticks.GetStatistics().Subscribers > 0; price++)
        {
            ticker.Publish("a", price, size: 1_000);
            if (price % 10_000 == 9_999) await Eventually.Holds(() => ticker.Ticks.GetStatistics().Subscribers == 0 || price < 1_000_000, "the end of the subscription");
        }

        var error = await Assert.ThrowsAsync<MuxException>(() => stuck.TakeUntilAsync(_ => false));
        Assert.Equal(MuxStatus.ResourceExhausted, error.Status);
        Assert.Contains("too slow", error.Message, StringComparison.Ordinal);
        Assert.Equal(Enumerable.Range(0, stuck.Got.Count), stuck.Got.Select(tick => tick.Price));
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_server_that_drains_ends_its_topics_at_once(TransportKind kind)
    {
        var scene = Begin(kind);
        var ticker = new Ticker();
        var server = scene.StartServer(server => server.AddService<ITicker>(ticker), options => options.DrainTimeout = TimeSpan.FromMinutes(10));
        var sut = scene.CreateChannel(server).CreateProxy<ITicker>();
        await using var idle = await Watch.BeginAsync(ticker, token => sut.Watch("a", token));
        await using var stuck = await Watch.BeginAsync(ticker, token => sut.Watch("b", token));
        for (int price = 0; price < 5_000; price++) ticker.Publish("b", price, size: 1_000);
        var stopping = server.StopAsync(TestContext.Current.CancellationToken);
        foreach (var watch in (Watch[])[idle, stuck])
        {
            var error = await Assert.ThrowsAsync<MuxException>(() => watch.TakeUntilAsync(_ => false));
            Assert.Equal(MuxStatus.Unavailable, error.Status);
            Assert.Contains("Subscribe again", error.Message, StringComparison.Ordinal);
        }

        await stopping.Within("the end of the server");
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Filters_count_the_items_of_a_topic_and_change_nothing_of_how_it_is_sent(TransportKind kind)
    {
        const int Items = 100;
        long sent = 0;
        var scene = Begin(kind);
        var ticker = new Ticker(new MuxTopicOptions { Queue = 1024 });
        var ended = new Signal("the end of the filter");
        var counting = new FilterOf(async (call, next) =>
        {
            try
            {
                await next.RunAsync(call);
            }
            finally
            {
                sent = call.ItemsSent;
                ended.Set();
            }
        });
        var server = scene.StartServer(server => server.AddService<ITicker>(ticker), options =>
        {
            options.Filters.Add(counting);
            options.DrainTimeout = TimeSpan.FromMinutes(10);
        });
        var sut = scene.CreateChannel(server).CreateProxy<ITicker>();
        await using var watch = await Watch.BeginAsync(ticker, token => sut.Watch("a", token));
        for (int price = 0; price < Items; price++) ticker.Publish("a", price);
        await watch.TakeAsync(Items);
        Assert.Equal(Items, ticker.Ticks.GetStatistics().Encoded); // once, by the topic
        await server.StopAsync(TestContext.Current.CancellationToken).Within("the end of the server");
        await ended.WaitAsync();
        Assert.Equal(Items, sent);
        await Assert.ThrowsAsync<MuxException>(() => watch.TakeUntilAsync(_ => false));
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Subscribers_that_vanish_leave_nothing_behind(TransportKind kind)
    {
        const int Subscribers = 1_000;
        var scene = Begin(kind);
        var (ticker, sut) = Start(scene, new MuxTopicOptions());
        using var cancellation = new CancellationTokenSource();
        var watches = Enumerable.Range(0, Subscribers).Select(i => sut.Watch($"{i % 10}", cancellation.Token).ToListAsync().AsTask()).ToList();
        await Eventually.Holds(() => ticker.Ticks.GetStatistics().Subscribers == Subscribers, "all subscribers");
        await cancellation.CancelAsync();
        foreach (var watch in watches) await Assert.ThrowsAnyAsync<OperationCanceledException>(() => watch.Within("the end of the call"));
        await Eventually.Holds(() => ticker.Ticks.GetStatistics().Subscribers == 0, "the end of all subscriptions");
        ticker.Publish("1", 1);
        Assert.Equal(0, ticker.Ticks.GetStatistics().KeptBytes);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_service_may_change_items_on_their_way(TransportKind kind)
    {
        var scene = Begin(kind);
        var (ticker, sut) = Start(scene, new MuxTopicOptions { Retain = 1 });
        ticker.Publish("a", 1);
        await using var items = sut.Describe("a", TestContext.Current.CancellationToken).GetAsyncEnumerator(TestContext.Current.CancellationToken);
        Assert.True(await items.MoveNextAsync().AsTask().Within("the retained item"));
        Assert.Equal("a 1", items.Current);
        ticker.Publish("a", 2);
        Assert.True(await items.MoveNextAsync().AsTask().Within("the next item"));
        Assert.Equal("a 2", items.Current);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Large_items_arrive_whole_and_each_method_encodes_for_itself(TransportKind kind)
    {
        const int Size = 300_000;
        var scene = Begin(kind);
        var (ticker, sut) = Start(scene, new MuxTopicOptions { Retain = 1 });
        ticker.Publish("a", 1, Size);
        await using var watch = await Watch.BeginAsync(ticker, token => sut.Watch("a", token));
        await using var other = await Watch.BeginAsync(null, token => sut.WatchToo("a", token));
        await Eventually.Holds(() => ticker.Ticks.GetStatistics().Subscribers == 2, "two subscribers");
        for (int price = 2; price < 10; price++)
        {
            ticker.Publish("a", price, Size);
            foreach (var one in (Watch[])[watch, other]) await one.TakeUntilAsync(tick => tick.Price == price);
        }

        Assert.All(watch.Got.Concat(other.Got), tick => Assert.Equal(Size, tick.Padding.Length));
        Assert.Equal(18, ticker.Ticks.GetStatistics().Encoded);
    }

    private static (Ticker Ticker, ITicker Sut) Start(Scene scene, MuxTopicOptions options)
    {
        var ticker = new Ticker(options);
        return (ticker, scene.CreateChannel(scene.StartServer(server => server.AddService<ITicker>(ticker))).CreateProxy<ITicker>());
    }
}
