using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Tests.Topics;

/// <summary>A subscriber that comes back says which item it has, and continues behind it or hears that it cannot.</summary>
public sealed class TopicResumptionTests : EndToEndTests
{
    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_subscriber_that_comes_back_continues_without_a_gap(TransportKind kind)
    {
        var (ticker, sut) = Start(kind, retain: 20);
        var before = await TakeAsync(ticker, sut, 5);
        for (int price = 5; price < 15; price++) ticker.Publish("a", price); // while it is away
        await using var watch = await Watch.BeginAsync(ticker, token => sut.WatchAfter("a", before[^1].Sequence, token));
        for (int price = 15; price < 20; price++) ticker.Publish("a", price);
        await watch.TakeUntilAsync(tick => tick.Price == 19);
        Assert.Equal(Enumerable.Range(5, 15), watch.Got.Select(tick => tick.Price));
        Assert.Equal(before[^1].Sequence + 1, watch.Got[0].Sequence);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_subscriber_that_has_everything_gets_the_next_item_alone()
    {
        var (ticker, sut) = Start(TransportKind.Epoll, retain: 20);
        var before = await TakeAsync(ticker, sut, 5);
        await using var watch = await Watch.BeginAsync(ticker, token => sut.WatchAfter("a", before[^1].Sequence, token));
        ticker.Publish("a", 5);
        await watch.TakeUntilAsync(tick => tick.Price == 5);
        Assert.Single(watch.Got);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_subscriber_is_told_if_items_between_are_not_kept()
    {
        var (ticker, sut) = Start(TransportKind.Epoll, retain: 3);
        var before = await TakeAsync(ticker, sut, 5);
        for (int price = 5; price < 15; price++) ticker.Publish("a", price);
        long last = before[^1].Sequence;
        await using var watch = await Watch.BeginAsync(null, token => sut.WatchAfter("a", last, token));
        var error = await Assert.ThrowsAsync<MuxException>(() => watch.TakeAsync(1));
        Assert.Equal(MuxStatus.OutOfRange, error.Status);
        Assert.Contains($"items {last + 1} to {last + 7} are not kept", error.Message, StringComparison.Ordinal);
        Assert.Empty(watch.Got);
    }

    [Theory(Timeout = TestLimit), InlineData(0), InlineData(10)]
    public async Task A_subscriber_is_told_if_the_server_has_started_again_however_many_items_it_has_published_since(int items)
    {
        var (ticker, sut) = Start(TransportKind.Epoll, retain: 20);
        var before = await TakeAsync(ticker, sut, 5);
        var (again, other) = Start(TransportKind.Epoll, retain: 20);
        for (int price = 0; price < items; price++) again.Publish("a", price);
        await using var watch = await Watch.BeginAsync(null, token => other.WatchAfter("a", before[^1].Sequence, token));
        Assert.Equal(MuxStatus.OutOfRange, (await Assert.ThrowsAsync<MuxException>(() => watch.TakeAsync(1))).Status);
    }

    [Fact]
    public async Task A_subscriber_of_this_process_is_told_if_numbers_have_gone_back()
    {
        var sut = new MuxTopics<string, Tick>(new MuxTopicOptions { UniqueNumbers = true, Retain = 2, Queue = 2 });
        for (int price = 0; price < 5; price++) sut.Publish("a", new Tick { Price = price });
        await using var items = sut.Subscribe("a", 1L << 60).GetAsyncEnumerator(TestContext.Current.CancellationToken);
        var error = await Assert.ThrowsAsync<MuxException>(() => items.MoveNextAsync().AsTask().Within("the end, without a further item"));
        Assert.Contains("numbers have begun again", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Topics_whose_numbers_come_again_refuse_to_continue_in_words_that_say_what_to_set()
    {
        var error = Assert.Throws<InvalidOperationException>(() => new MuxTopics<string, Tick>().Subscribe("a", 5));
        Assert.Contains("set UniqueNumbers", error.Message, StringComparison.Ordinal);
        error = Assert.Throws<InvalidOperationException>(() => new MuxTopics<string, string>().Subscribe("a", 5));
        Assert.Contains("implements IMuxTopicItem", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Unique_numbers_of_items_without_numbers_are_refused()
    {
        var error = Assert.Throws<ArgumentException>(() => new MuxTopics<string, string>(new MuxTopicOptions { UniqueNumbers = true }));
        Assert.Contains("UniqueNumbers of the topics is set, but items of System.String have no numbers", error.Message, StringComparison.Ordinal);
    }

    private static async Task<List<Tick>> TakeAsync(Ticker ticker, ITicker sut, int count)
    {
        List<Tick> got;
        await using (var watch = await Watch.BeginAsync(ticker, token => sut.Watch("a", token)))
        {
            for (int price = 0; price < count; price++) ticker.Publish("a", price);
            got = await watch.TakeAsync(count);
        }

        await Eventually.Holds(() => ticker.Ticks.GetStatistics().Subscribers == 0, "the end of the first subscription"); // or the next one may be taken for it
        return got;
    }

    private (Ticker Ticker, ITicker Sut) Start(TransportKind kind, int retain)
    {
        var scene = Begin(kind);
        var ticker = new Ticker(new MuxTopicOptions { Retain = retain, UniqueNumbers = true });
        return (ticker, scene.CreateChannel(scene.StartServer(server => server.AddService<ITicker>(ticker))).CreateProxy<ITicker>());
    }
}
