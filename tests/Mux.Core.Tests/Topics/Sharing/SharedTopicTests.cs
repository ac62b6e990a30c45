using Mux.Backplanes;
using Mux.Push;
using Mux.TestSupport.Backplanes;
using Mux.TestSupport.EndToEnd;

namespace Mux.Core.Tests.Topics.Sharing;

/// <summary>Topics of several servers, step by step.</summary>
public sealed class SharedTopicTests
{
    private readonly MemoryHub _hub = new();

    [Fact]
    public void A_server_subscribes_only_while_it_has_a_subscriber()
    {
        var sut = new ModelServer(_hub, 1, retain: 1);
        for (int i = 0; i < 100; i++) sut.Publish($"{i}");
        Assert.Equal(0, sut.Backplane.Subscriptions);
        sut.Join("1");
        sut.Join("1");
        Assert.Equal(1, sut.Backplane.Subscriptions);
        sut.Leave(0);
        Assert.Equal(1, sut.Backplane.Subscriptions);
        sut.Leave(0);
        Assert.Equal((0, 0L), (sut.Backplane.Subscriptions, sut.Counters.KeptBytes));
    }

    [Fact]
    public void A_subscriber_gets_what_was_retained_before_what_came_meanwhile()
    {
        var other = new ModelServer(_hub, 1, retain: 3);
        var sut = new ModelServer(_hub, 2, retain: 3);
        for (int i = 0; i < 5; i++) other.Publish("a");
        other.Backplane.Settle();
        var reader = sut.Join("a");
        other.Publish("a"); // 6 comes by the subscription, and is in the snapshot
        other.Backplane.Settle();
        sut.Publish("a"); // 7 leaves behind the request for the snapshot
        Assert.True(sut.Backplane.StepIn());
        sut.RunReaders();
        Assert.Empty(reader.Got);
        sut.Backplane.Settle();
        sut.RunReaders();
        Assert.Equal([(1, 4, 4), (1, 5, 5), (1, 6, 6), (2, 1, 7)], reader.Got);
    }

    [Fact]
    public void What_was_published_here_before_the_subscription_is_in_force_is_not_lost()
    {
        var sut = new ModelServer(_hub, 1, retain: 0);
        var reader = sut.Join("a");
        sut.Publish("a");
        sut.Backplane.Interrupt(arrives: 0); // nothing has left
        sut.RunReaders();
        Assert.Equal([(1, 1)], reader.Got.Select(item => (item.Publisher, item.Index)));
        sut.Backplane.Heal();
        sut.Publish("a");
        sut.Backplane.Settle();
        sut.RunReaders();
        Assert.Equal([(1, 1), (1, 2)], reader.Got.Select(item => (item.Publisher, item.Index)));
    }

    [Fact]
    public void A_server_that_only_passes_items_on_decodes_none()
    {
        var shelf = StartShelf(out var codec, out var counters, out var publish);
        var reader = Join(shelf, static () => { });
        publish(1);
        Assert.Equal([[1, 2, 3]], reader.Got);
        Assert.Equal((0, 0L), (codec.Decoded, counters.Encoded));
    }

    [Fact]
    public void A_subscriber_that_joins_while_the_last_one_leaves_gets_items()
    {
        var shelf = StartShelf(out _, out _, out var publish);
        var last = Join(shelf, static () => { });
        var reader = Join(shelf, () => Leave(shelf, last));
        publish(1);
        Assert.Equal([[1, 2, 3]], reader.Got);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_subscriber_that_joins_while_the_first_one_joins_gets_items_also_if_that_one_fails(bool fails)
    {
        var other = new ModelServer(_hub, 2, retain: 3);
        var sut = new ModelServer(_hub, 1, retain: 3);
        sut.Backplane.Interrupt();
        sut.Publish("a"); // is retained here
        SharedReader? second = null;
        int codec = sut.Shelf.Codecs.NumberOf(new HookedCodec(() =>
        {
            second ??= sut.Join("a");
            if (fails) throw new FormatException("as planned");
        }));
        var error = Record.Exception(() => sut.Shelf.Join("a", topic => new SharedReader(topic, codec)));
        Assert.Equal(fails, error is FormatException);
        sut.Backplane.Heal();
        sut.Backplane.Settle();
        other.Publish("a");
        other.Backplane.Settle();
        sut.Publish("a");
        sut.Backplane.Settle();
        sut.RunReaders();
        Assert.Equal([(1, 1), (2, 1), (1, 2)], second!.Got.Select(item => (item.Publisher, item.Index)));
    }

    [Fact]
    public void A_subscriber_that_ends_late_takes_nothing_from_the_next_one()
    {
        var shelf = StartShelf(out _, out _, out var publish);
        var old = Join(shelf, static () => { });
        Leave(shelf, old);
        var reader = Join(shelf, static () => { });
        Leave(shelf, old);
        publish(1);
        Assert.Equal([[1, 2, 3]], reader.Got);
        Leave(shelf, reader);
        Assert.Equal(0, shelf.Count);
    }

    [Fact]
    public void Foreign_bytes_are_skipped_counted_and_logged()
    {
        using var logs = new LogCollector();
        var backplane = new MemoryBackplane(_hub, setup: new MemoryBackplaneSetup(logs, null));
        var counters = new TopicCounters("test");
        var work = new StepQueue();
        var codec = new NumberedCodec();
        var shelf = new TopicShelf<string, Numbered>(new TopicSettings(64, 5, false, false, 64, false, counters, new FanOut(work, 1)), 1 << 20, 10, codec);
        shelf.Shared = new SharedTopics<string, Numbered>(shelf, new TopicShare<Numbered>(backplane, codec, 1, 5, counters, work), ChannelNames.Of<string>("topics:", null));
        byte[] undecodable = TopicEnvelope.Create(origin: 2, [1, 2, 3]), changed = TopicEnvelope.Create(origin: 2, new byte[16]);
        TopicEnvelope.Number(undecodable, 1);
        TopicEnvelope.Number(changed, 2);
        changed[^1] ^= 1;
        byte[] good = TopicEnvelope.Create(origin: 2, new byte[16]);
        TopicEnvelope.Number(good, 3);
        foreach (byte[] body in (byte[][])[[], "PING"u8.ToArray(), new byte[28], undecodable, changed]) _hub.Publish("topics:a", body, retain: 5);
        var reader = shelf.Join("a", topic => new SharedReader(topic));
        reader.Run();
        foreach (byte[] body in (byte[][])[[], "PING"u8.ToArray(), undecodable, changed, good]) _hub.Publish("topics:a", body, retain: 5);
        backplane.Settle();
        work.RunAll();
        Assert.Equal([10], reader.Got.Select(item => item.Number));
        Assert.Equal(7, backplane.Skipped); // what comes twice counts twice, but for the one that is known to have come
        var log = Assert.Single(logs.Of("BackplaneMessageSkipped"));
        Assert.Contains("topics:a", log.Text, StringComparison.Ordinal);
        Assert.Equal(2513, log.Id);
    }

    [Fact]
    public void A_full_queue_lets_items_reach_the_subscribers_here_in_order()
    {
        var other = new ModelServer(_hub, 2, retain: 0);
        var theirs = other.Join("a");
        other.Backplane.Settle();
        var sut = new ModelServer(_hub, 1, retain: 0, capacity: 3);
        var reader = sut.Join("a");
        sut.Backplane.Settle();
        for (int i = 0; i < 10; i++) sut.Publish("a");
        Assert.Equal(Enumerable.Range(1, 10), reader.Got.Select(item => item.Index));
        Assert.Equal((7L, 3), (sut.Backplane.Refused, sut.Backplane.Queued));
        sut.Backplane.Settle();
        other.Backplane.Settle();
        other.RunReaders();
        sut.RunReaders();
        Assert.Equal([1, 2, 3], theirs.Got.Select(item => item.Index));
        Assert.Equal(10, reader.Got.Count);
    }

    [Fact]
    public void The_state_of_a_backplane_is_logged_and_measured()
    {
        using var logs = new LogCollector();
        using var meters = new MeterReadings();
        var sut = new MemoryBackplane(_hub, setup: new MemoryBackplaneSetup(logs, meters));
        sut.Interrupt();
        Assert.False(sut.TryPublish("a", new byte[1], 0, 0));
        Assert.Equal(1, Reading("mux.backplane.interrupted"));
        Assert.Equal(1, Reading("mux.backplane.refused"));
        sut.Heal();
        Assert.True(sut.TrySend("a", new byte[1]));
        Assert.Equal((0, 1, 1), (Reading("mux.backplane.interrupted"), Reading("mux.backplane.queued"), Reading("mux.backplane.published")));
        Assert.Equal(["BackplaneInterrupted", "BackplaneConnected"], logs.Entries.Select(entry => entry.Name));
        Assert.Equal(BackplaneState.Connected, sut.State);

        long Reading(string name) => Assert.Single(meters.Read(), reading => reading.Instrument == name && reading.Tag("mux.backplane.name") == "memory").Value;
    }

    private static PassingReader Join(TopicShelf<int, byte[]> shelf, Action meanwhile)
    {
        var reader = shelf.Join(7, topic =>
        {
            meanwhile();
            return new PassingReader(topic);
        });
        reader.Run();
        return reader;
    }

    private static void Leave(TopicShelf<int, byte[]> shelf, PassingReader reader)
    {
        reader.Topic.Leave(reader);
        shelf.OnLeft(7, reader.Topic);
    }

    /// <summary>Starts a server whose items have no numbers and are not retained.</summary>
    /// <param name="codec">Counts what it decodes.</param>
    /// <param name="counters">Counts the rest.</param>
    /// <param name="publish">Publishes an item at another server, once this one hears of it.</param>
    private TopicShelf<int, byte[]> StartShelf(out BytesCodec codec, out TopicCounters counters, out Action<long> publish)
    {
        (codec, counters) = (new BytesCodec(), new TopicCounters("test"));
        var backplane = new MemoryBackplane(_hub);
        var work = new StepQueue();
        var shelf = new TopicShelf<int, byte[]>(new TopicSettings(64, 0, false, false, 64, false, counters, new FanOut(work, 1)), 1 << 20, 10, codec);
        shelf.Shared = new SharedTopics<int, byte[]>(shelf, new TopicShare<byte[]>(backplane, codec, 1, 0, counters, work), ChannelNames.Of<int>("topics:", null));
        publish = count =>
        {
            backplane.Settle();
            byte[] message = TopicEnvelope.Create(origin: 2, [1, 2, 3]);
            TopicEnvelope.Number(message, count);
            _hub.Publish("topics:7", message, retain: 0);
            backplane.Settle();
            work.RunAll();
        };
        return shelf;
    }
}
