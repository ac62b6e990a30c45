using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;

namespace Mux.Tests.Topics;

/// <summary>How many items are under way to a subscriber that does not take them: they would be old when it does.</summary>
/// <remarks>
/// Time stands still: a window grows while round trips are what limits its reader, and on a machine that is busy the first
/// ones take so long that two items may become six.
/// </remarks>
public sealed class TopicWindowTests : EndToEndTests
{
    private const int Items = 5_000;

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_subscriber_that_wants_the_latest_gets_two_old_items_at_most_and_then_the_latest(TransportKind kind)
    {
        var scene = Begin(kind, new ManualTime());
        var ticker = new Ticker(new MuxTopicOptions { WhenSlow = MuxSlowSubscriber.KeepLatest });
        var server = scene.StartServer(server => server.AddService<ITicker>(ticker));
        var sut = scene.CreateChannel(server).CreateProxy<ITicker>();
        await using var slow = await Watch.BeginAsync(ticker, token => sut.Watch("a", token));
        await PublishAsync(ticker, slow);
        await slow.TakeUntilAsync(tick => tick.Price == Items - 1);

        // The first, the one that the next read has taken, the two under way after them, the one that the server holds until
        // there is room for it, and the latest. A window in bytes would hold hundreds.
        Assert.InRange(slow.Got.Count, 2, 6);
    }

    [Theory(Timeout = TestLimit)]
    [InlineData(1)]
    [InlineData(8)]
    public async Task A_subscriber_that_reads_late_gets_the_queue_and_as_many_that_were_under_way(int queue)
    {
        var scene = Begin(TransportKind.Epoll, new ManualTime());
        var ticker = new Ticker(new MuxTopicOptions { Queue = queue });
        var server = scene.StartServer(server => server.AddService<ITicker>(ticker));
        var sut = scene.CreateChannel(server).CreateProxy<ITicker>();
        await using var slow = await Watch.BeginAsync(ticker, token => sut.Watch("a", token));
        await PublishAsync(ticker, slow);
        await slow.TakeUntilAsync(tick => tick.Price == Items - 1);

        // The first, the one that the next read has taken, as many under way as the queue has, the one that the server holds
        // until there is room for it, and the queue.
        Assert.InRange(slow.Got.Count, queue, (2 * queue) + 3);
        Assert.Equal(Items, ticker.Ticks.GetStatistics().Delivered + ticker.Ticks.GetStatistics().Missed);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_subscriber_behind_a_gateway_gets_no_more_old_items_than_the_gateway_has_in_addition()
    {
        var scene = Begin(TransportKind.Epoll, new ManualTime());
        var ticker = new Ticker(new MuxTopicOptions { WhenSlow = MuxSlowSubscriber.KeepLatest });
        var server = scene.StartServer(server => server.AddService<ITicker>(ticker));
        var route = scene.CreateChannel(server);
        var gateway = scene.StartServer(gateway => gateway.AddRoute(new MuxRoute("test.*", route)));
        var sut = scene.CreateChannel(gateway).CreateProxy<ITicker>();
        await using var slow = await Watch.BeginAsync(ticker, token => sut.Watch("a", token));
        await PublishAsync(ticker, slow);
        await slow.TakeUntilAsync(tick => tick.Price == Items - 1);
        Assert.InRange(slow.Got.Count, 2, 10);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_new_subscriber_that_wants_the_latest_gets_all_that_is_retained_first()
    {
        var scene = Begin(TransportKind.Epoll);
        var ticker = new Ticker(new MuxTopicOptions { WhenSlow = MuxSlowSubscriber.KeepLatest, Retain = 20 });
        var server = scene.StartServer(server => server.AddService<ITicker>(ticker));
        var sut = scene.CreateChannel(server).CreateProxy<ITicker>();
        for (int price = 0; price < 30; price++) ticker.Publish("a", price);
        await using var watch = await Watch.BeginAsync(ticker, token => sut.Watch("a", token));
        await watch.TakeUntilAsync(tick => tick.Price == 29);
        Assert.Equal(Enumerable.Range(10, 20), watch.Got.Select(tick => tick.Price));
    }

    /// <summary>Publishes while the subscriber takes nothing, once its first item is there: more than 64 KiB of credit hold in small items.</summary>
    private static async Task PublishAsync(Ticker ticker, Watch slow)
    {
        ticker.Publish("a", 0);
        await slow.TakeAsync(1);
        for (int price = 1; price < Items; price++)
        {
            ticker.Publish("a", price);
            if (price % 100 == 0) await Task.Yield();
        }
    }
}
