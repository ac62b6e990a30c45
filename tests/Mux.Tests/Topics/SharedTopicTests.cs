using Mux.TestSupport.Backplanes;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Tests.Topics;

/// <summary>Topics that servers share, as applications see them.</summary>
public sealed class SharedTopicTests : EndToEndTests
{
    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Clients_of_two_servers_get_what_either_publishes_in_one_order(TransportKind kind)
    {
        const int Items = 200;
        var scene = Begin(kind);
        var hub = new MemoryHub();
        MemoryBackplane[] backplanes = [new(hub), new(hub)];
        using var cancellation = new CancellationTokenSource();
        var running = MemoryBackplane.RunAsync(backplanes, cancellation.Token);
        var tickers = backplanes.Select(backplane => new Ticker(new MuxTopicOptions { Backplane = backplane, Queue = 1024 }.ShareAs<ITicker>())).ToList();
        var watches = new List<Watch>();
        foreach (var ticker in tickers)
        {
            var sut = scene.CreateChannel(scene.StartServer(server => server.AddService<ITicker>(ticker))).CreateProxy<ITicker>();
            watches.Add(await Watch.BeginAsync(ticker, token => sut.Watch("a", token)));
            watches.Add(await Watch.BeginAsync(ticker, token => sut.WatchToo("a", token))); // the same codec: encoded once
        }

        await Eventually.Holds(() => backplanes.All(one => one is { Subscriptions: 1, Queued: 0 }), "both subscriptions");
        for (int i = 0; i < Items; i++) tickers[i % 2].Publish("a", i);
        foreach (var watch in watches) await watch.TakeAsync(Items);
        Assert.All(watches, watch => Assert.Equal(watches[0].Got.Select(tick => (tick.Price, tick.Sequence)), watch.Got.Select(tick => (tick.Price, tick.Sequence))));
        Assert.Equal(Enumerable.Range(1, Items), watches[0].Got.Select(tick => (int)tick.Sequence));
        for (int publisher = 0; publisher < 2; publisher++)
            Assert.Equal(Enumerable.Range(0, Items).Where(i => i % 2 == publisher), watches[0].Got.Select(tick => tick.Price).Where(price => price % 2 == publisher));
        foreach (var watch in watches) await watch.DisposeAsync();
        await Eventually.Holds(() => backplanes.All(one => one.Subscriptions == 0), "the end of all subscriptions");
        await cancellation.CancelAsync();
        await running.Within("the end of the backplanes");
    }

    [Fact]
    public void A_contract_without_a_stream_of_the_items_is_named()
    {
        var options = new MuxTopicOptions { Backplane = new MemoryBackplane(new MemoryHub()) }.ShareAs<ITicker>();
        var error = Assert.Throws<ArgumentException>(() => new MuxTopics<string, Version>(options));
        Assert.Contains("ShareAs<ITicker>() of the topics: Mux.Tests.Topics.ITicker has no method that returns a stream of System.Version.", error.Message, StringComparison.Ordinal);
        Assert.Throws<InvalidOperationException>(() => new MuxTopicOptions().ShareAs<IDisposable>());
    }

    [Fact]
    public void A_backplane_and_a_contract_belong_together()
    {
        AssertFails(new MuxTopicOptions { Backplane = new MemoryBackplane(new MemoryHub()) }, "Backplane: it is set, but nothing says how items travel");
        AssertFails(new MuxTopicOptions().ShareAs<ITicker>(), "Backplane: missing, although ShareAs<ITicker>() shares the topics");

        static void AssertFails(MuxTopicOptions options, string expected) =>
            Assert.Contains(expected, Assert.Throws<ArgumentException>(() => new MuxTopics<string, Tick>(options)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Keys_have_the_same_name_at_every_server()
    {
        Assert.Equal("topics:Mux.Tests.Topics.Tick:-7", ChannelOf(-7));
        Assert.Equal("topics:Mux.Tests.Topics.Tick:a:b", ChannelOf("a:b"));
        Assert.Equal("topics:Mux.Tests.Topics.Tick:5", ChannelOf(DayOfWeek.Friday));
        Assert.Equal("topics:Mux.Tests.Topics.Tick:00000000-0000-0000-0000-000000000001", ChannelOf(new Guid(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)));
        Assert.Equal("topics:desks:Mux.Tests.Topics.Tick:eu/1", ChannelOf(("eu", 1), options => (options.Name = "desks", options.NameKeys<(string, int)>(key => $"{key.Item1}/{key.Item2}"))));
    }

    [Fact]
    public void Keys_without_a_name_are_refused()
    {
        var none = Assert.Throws<ArgumentException>(() => ChannelOf(("eu", 1)));
        Assert.Contains("expected string, Guid, an integer or an enum, or a function that names keys: NameKeys<ValueTuple`2>", none.Message, StringComparison.Ordinal);
        var other = Assert.Throws<ArgumentException>(() => ChannelOf("a", options => options.NameKeys<int>(key => $"{key}")));
        Assert.Contains("names keys of System.Int32, and their keys are System.String", other.Message, StringComparison.Ordinal);
        var tooLong = Assert.Throws<ArgumentException>(() => ChannelOf(new string('a', 1_025)));
        Assert.Contains("expected up to 1024 characters", tooLong.Message, StringComparison.Ordinal);
        Assert.Throws<ArgumentException>(() => ChannelOf("a", options => options.NameKeys<string>(_ => null!)));
    }

    [Fact]
    public void Without_a_backplane_there_is_none() => Assert.Null(new MuxTopics<string, Tick>().Backplane);

    private static string ChannelOf<TKey>(TKey key, Func<MuxTopicOptions, object>? configure = null)
        where TKey : notnull
    {
        var hub = new MemoryHub();
        var backplane = new MemoryBackplane(hub);
        var options = new MuxTopicOptions { Backplane = backplane }.ShareAs<ITicker>();
        configure?.Invoke(options);
        new MuxTopics<TKey, Tick>(options).Publish(key, new Tick());
        backplane.Settle();
        return Assert.Single(hub.Channels);
    }
}
