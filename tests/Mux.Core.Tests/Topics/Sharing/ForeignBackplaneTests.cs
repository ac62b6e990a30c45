using Mux.Push;
using Mux.TestSupport.Backplanes;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Core.Tests.Topics.Sharing;

/// <summary>Backplanes that do in the middle of a publish what they must not: they hold up one topic, and change the order of none.</summary>
public sealed class ForeignBackplaneTests
{
    private const int Others = 300; // topics: more than there are locks

    private readonly MemoryHub _hub = new();
    private readonly Signal _entered = new("the code that blocks to be entered");
    private readonly Signal _release = new("the release of what blocks");

    [Fact]
    public async Task One_that_blocks_holds_up_the_topic_of_the_item_alone()
    {
        var sut = new ModelServer(_hub, 1, retain: 0, beforePublish: BlockAt("topics:a"));
        var other = new ModelServer(_hub, 2, retain: 0);
        var readers = new[] { sut, other }.Select(server => server.Join("a")).ToArray();
        Settle(sut, other);
        var blocked = Task.Run(() => sut.Publish("a"), TestContext.Current.CancellationToken);
        await _entered.WaitAsync();
        for (int i = 0; i < 3; i++) sut.Publish("a"); // returns at once
        for (int i = 0; i < Others; i++)
        {
            var reader = other.Join($"{i}");
            other.Backplane.Settle();
            sut.Publish($"{i}");
            Settle(sut, other);
            Assert.Single(reader.Got);
        }

        Assert.All(readers, reader => Assert.Empty(reader.Got));
        _release.Set();
        await blocked.Within("the publisher that was held up");
        Settle(sut, other);
        Assert.All(readers, reader => Assert.Equal([(1, 1, 1), (1, 2, 2), (1, 3, 3), (1, 4, 4)], reader.Got));
        Assert.Equal(0, sut.Used.Refused);
    }

    [Fact]
    public async Task Behind_one_that_blocks_so_many_items_wait_and_further_ones_reach_the_subscribers_here_alone()
    {
        const int Waiting = 8_192, Refused = 5;
        var sut = new ModelServer(_hub, 1, retain: 0, capacity: 2 * Waiting, beforePublish: BlockAt("topics:a"));
        var other = new ModelServer(_hub, 2, retain: 0);
        var reader = sut.Join("a");
        var far = other.Join("a");
        Settle(sut, other);
        var blocked = Task.Run(() => sut.Publish("a"), TestContext.Current.CancellationToken);
        await _entered.WaitAsync();
        for (int i = 0; i < Waiting + Refused; i++) sut.Publish("a");
        Assert.Equal(Refused, sut.Used.Refused);
        int all = 1 + Waiting + Refused;
        Assert.Equal(all, reader.Got[^1].Index);
        _release.Set();
        await blocked.Within("the publisher that was held up");
        await Eventually.Holds(() => sut.Backplane.Published == 1 + Waiting, () => $"the backplane to get what waits; it has {sut.Backplane.Published}");
        while (sut.Backplane.StepOut() || other.Backplane.StepIn()) other.RunReaders();
        Settle(sut, other);
        Assert.Equal(Enumerable.Range(1, 1 + Waiting), far.Got.Select(item => item.Index));
        Assert.Equal(reader.Got.Select(item => item.Index).Distinct().Order(), reader.Got.Select(item => item.Index)); // it may have missed some, and gets none again
    }

    [Fact]
    public void One_that_publishes_subscribes_and_ends_subscriptions_in_the_middle_changes_no_order()
    {
        ModelServer? sut = null;
        int inside = 0;
        SharedReader? joined = null;
        sut = new ModelServer(_hub, 1, retain: 2, beforePublish: channel =>
        {
            if (channel != "topics:a" || ++inside > 3) return;
            sut!.Publish("a");
            sut.Publish("b");
            if (inside == 2) joined = sut.Join("a");
            if (inside == 3) sut.Leave(0);
        });
        sut.Join("b");
        var reader = sut.Join("a");
        Settle(sut);
        sut.Publish("a");
        Settle(sut);
        Assert.Equal([1, 2, 3, 4], reader.Got.Select(item => item.Index));
        Assert.Equal([1, 2, 3, 4], reader.Got.Select(item => (int)item.Number));
        Assert.Equal(4, joined!.Got[^1].Index);
        Assert.Equal(joined.Got.Select(item => item.Index).Order(), joined.Got.Select(item => item.Index));
    }

    [Fact]
    public void One_that_refuses_an_item_after_a_subscriber_has_come_delivers_it_to_this_one()
    {
        ModelServer? sut = null;
        SharedReader? reader = null;
        sut = new ModelServer(_hub, 1, retain: 0, capacity: 0, beforePublish: _ => reader ??= sut!.Join("a"));
        sut.Publish("a");
        sut.Publish("a");
        Assert.Equal([1, 2], reader!.Got.Select(item => item.Index));
    }

    [Fact]
    public async Task What_comes_on_several_threads_is_delivered_by_one()
    {
        var sut = new ModelServer(_hub, 1, retain: 0);
        var reader = sut.Join("a");
        Settle(sut);
        sut.Codec.OnEncode = item =>
        {
            if (item is not { Index: 1, Sequence: > 0 }) return; // when it is published, it has no number
            _entered.Set();
            _release.Wait();
        };
        sut.Publish("a");
        Assert.True(sut.Backplane.StepOut());
        var coming = Task.Run(() => sut.Backplane.StepIn(), TestContext.Current.CancellationToken);
        await _entered.WaitAsync();
        sut.Publish("a");
        sut.Backplane.Interrupt(); // delivers the second one, while the first is being encoded
        _release.Set();
        await coming.Within("the delivery of the first item");
        sut.RunReaders();
        Assert.Equal([1, 2], reader.Got.Select(item => item.Index));
    }

    [Fact]
    public void One_that_throws_has_not_taken_the_item_and_its_publisher_learns_of_it()
    {
        bool throws = true;
        var sut = new ModelServer(_hub, 1, retain: 0, beforePublish: _ =>
        {
            if (throws) throw new FormatException("as planned");
        });
        var reader = sut.Join("a");
        sut.Backplane.Settle();
        Assert.Throws<FormatException>(() => sut.Publish("a"));
        throws = false;
        sut.Publish("a");
        Settle(sut);
        Assert.Equal([1, 2], reader.Got.Select(item => item.Index));
    }

    [Fact]
    public async Task Many_publishers_of_one_topic_keep_each_their_order()
    {
        const int Publishers = 8, Items = 1_000;
        var sut = new ModelServer(_hub, 1, retain: 0, capacity: Publishers * Items, beforePublish: _ => Thread.Yield());
        var other = new ModelServer(_hub, 2, retain: 0);
        var reader = other.Join("a");
        other.Backplane.Settle();
        await Parallel.ForAsync(1, Publishers + 1, (publisher, _) =>
        {
            for (int i = 1; i <= Items; i++) sut.Shelf.Shared!.Publish("a", new TopicItem<Numbered>(new Numbered { Publisher = publisher, Index = i }));
            return ValueTask.CompletedTask;
        }).Within("the publishers");
        await Eventually.Holds(() => sut.Backplane.Published == Publishers * Items, "the backplane to get all items");
        while (sut.Backplane.StepOut() || other.Backplane.StepIn()) other.RunReaders();
        Settle(sut, other);
        Assert.Equal(Publishers * Items, reader.Got.Count);
        Assert.All(reader.Got.GroupBy(item => item.Publisher), one => Assert.Equal(Enumerable.Range(1, Items), one.Select(item => item.Index)));
        Assert.Equal(0, sut.Used.Refused);
    }

    private static void Settle(params ModelServer[] servers)
    {
        for (int i = 0; i < 2; i++)
        {
            foreach (var server in servers) server.Backplane.Settle();
        }

        foreach (var server in servers) server.RunReaders();
    }

    /// <summary>Blocks the thread that brings the first item of a channel.</summary>
    private Action<string> BlockAt(string channel)
    {
        bool hasBlocked = false;
        return name =>
        {
            if (name != channel || hasBlocked) return;
            hasBlocked = true;
            _entered.Set();
            _release.Wait();
        };
    }
}
