using Mux.TestSupport.Backplanes;

namespace Mux.Core.Tests.Topics.Sharing;

/// <summary>Subscribers of shared topics that come back, step by step: each continues with the next item, or hears at once that it cannot.</summary>
public sealed class SharedResumptionTests
{
    private const int Retain = 50;

    private readonly MemoryHub _hub = new();

    [Fact]
    public void A_number_of_an_interruption_is_never_one_of_the_backplane()
    {
        var sut = new ModelServer(_hub, 1, Retain);
        var other = new ModelServer(_hub, 2, Retain);
        var before = Join(sut);
        Publish(sut, 2);
        sut.Backplane.Interrupt();
        Publish(sut, 5); // its subscribers alone get them
        long last = before.Got[^1].Number;
        sut.Leave(0);
        sut.Backplane.Heal();
        Publish(other, 100);
        var again = Join(sut, last);
        var elsewhere = Join(other, last);
        Assert.Contains("a server gave this number while the topic was interrupted", again.Failure, StringComparison.Ordinal);
        Assert.NotNull(elsewhere.Failure);
        Assert.Empty(again.Got);
    }

    [Fact]
    public void A_subscriber_continues_within_an_interruption_and_is_told_when_it_is_over()
    {
        var sut = new ModelServer(_hub, 1, Retain);
        var stays = Join(sut);
        sut.Backplane.Interrupt();
        Publish(sut, 5);
        var back = Join(sut, stays.Got[1].Number);
        Publish(sut, 1);
        Assert.Equal([3, 4, 5, 6], back.Got.Select(item => item.Index));
        var late = Join(sut, stays.Got[^1].Number);
        sut.Backplane.Heal();
        Publish(sut, 1);
        Assert.NotNull(late.Failure);
        Assert.Equal(7, stays.Got[^1].Index);
    }

    [Fact]
    public void Numbers_of_two_interruptions_do_not_follow_each_other()
    {
        var sut = new ModelServer(_hub, 1, retain: 0);
        var other = new ModelServer(_hub, 2, retain: 0);
        var stays = Join(sut);
        Join(sut);
        sut.Backplane.Interrupt();
        Publish(sut, 1);
        Publish(other, 3); // lost for this server
        sut.Backplane.Heal();
        sut.Backplane.Settle();
        sut.Backplane.Interrupt();
        var back = Join(sut, stays.Got[^1].Number);
        Publish(sut, 1);
        Assert.NotNull(back.Failure);
    }

    [Fact]
    public void A_refused_item_takes_no_number_of_the_backplane()
    {
        var sut = new ModelServer(_hub, 1, Retain, capacity: 3);
        var stays = Join(sut);
        sut.Backplane.Settle();
        for (int i = 0; i < 5; i++) sut.Publish("a"); // two of them reach this server alone
        long refused = stays.Got[^1].Number;
        Publish(sut, 10);
        Assert.NotNull(Join(new ModelServer(_hub, 2, Retain), refused).Failure);
    }

    [Theory, InlineData(true), InlineData(false)]
    public void A_subscriber_ahead_of_a_quiet_topic_is_told_at_once(bool hasReader)
    {
        var sut = new ModelServer(_hub, 1, Retain);
        Publish(sut, 10);
        if (hasReader) Join(sut);
        sut.Backplane.Settle();
        var ahead = Join(sut, after: 11);
        Assert.Contains("its numbers have begun again, and are at 10", ahead.Failure, StringComparison.Ordinal);
        Assert.Equal(hasReader ? 1 : 0, sut.Backplane.Subscriptions - (hasReader ? 0 : 1));
    }

    [Fact]
    public void A_subscriber_ahead_of_its_server_alone_waits_for_the_next_item()
    {
        var sut = new ModelServer(_hub, 1, retain: 0);
        var other = new ModelServer(_hub, 2, retain: 0);
        Join(sut);
        Publish(other, 3);
        sut.Backplane.Settle();
        for (int i = 0; i < 3; i++) other.Publish("a");
        while (other.Backplane.StepOut()) // the hub has 6, this server 3
        {
        }

        var ahead = Start(sut, after: 5);
        sut.Backplane.Settle();
        sut.RunReaders();
        Assert.Null(ahead.Failure);
        Assert.Equal([6L], ahead.Got.Select(item => item.Number));
        Assert.Equal(1, sut.Backplane.Subscriptions);
    }

    [Theory, InlineData(60, false), InlineData(99, true), InlineData(100, true), InlineData(20, false)]
    public void The_first_subscriber_of_a_server_continues_if_the_backplane_has_the_next_item(long after, bool continues)
    {
        Publish(new ModelServer(_hub, 2, retain: 10), 100);
        var sut = new ModelServer(_hub, 1, retain: 10);
        var reader = Join(sut, after);
        Assert.Equal(continues, reader.Failure is null);
        Assert.Equal(continues ? 100 - after : 0, reader.Got.Count);
        Assert.Equal(1, sut.Backplane.Subscriptions);
    }

    [Fact]
    public void A_subscriber_that_leaves_before_the_answer_leaves_no_question()
    {
        var sut = new ModelServer(_hub, 1, Retain);
        sut.Backplane.Interrupt();
        Start(sut, after: 5);
        sut.Leave(0);
        Assert.Equal((0, 0), (sut.Backplane.Subscriptions, sut.Counters.Subscribers));
    }

    [Fact]
    public void Subscribers_that_come_back_at_once_ask_one_question()
    {
        const int Readers = 1_000;
        var sut = new ModelServer(_hub, 1, retain: 0);
        Publish(new ModelServer(_hub, 2, retain: 0), 10);
        Join(sut);
        var readers = Enumerable.Range(0, Readers).Select(_ => Start(sut, after: 10)).ToList();
        Assert.Equal(2, sut.Backplane.Subscriptions); // of the topic, and of the question
        sut.Backplane.Settle();
        Assert.Equal(1, sut.Backplane.Subscriptions);
        readers.AddRange(Enumerable.Range(0, Readers).Select(_ => Start(sut, after: 10)));
        Assert.Equal(1, sut.Backplane.Subscriptions); // the answer is fresh

        sut.Backplane.Interrupt();
        sut.Backplane.Heal();
        readers.AddRange(Enumerable.Range(0, Readers).Select(_ => Start(sut, after: 10)));
        Assert.Equal(2, sut.Backplane.Subscriptions);
        Publish(sut, 1);
        Assert.All(readers, static reader => Assert.Equal((null, 11L), (reader.Failure, reader.Got.Single().Number)));
        Assert.Equal(1, sut.Backplane.Subscriptions);
    }

    [Fact]
    public void An_answer_that_is_older_than_a_subscriber_does_not_say_that_it_is_ahead()
    {
        var sut = new ModelServer(_hub, 1, retain: 0);
        var other = new ModelServer(_hub, 2, retain: 0);
        Publish(other, 3);
        Join(sut);
        var ahead = Start(sut, after: 5);
        while (sut.Backplane.StepOut()) // the answer is on its way
        {
        }

        Publish(other, 2);
        var late = Start(sut, after: 5);
        sut.Backplane.Settle();
        sut.RunReaders();
        Assert.NotNull(ahead.Failure);
        Publish(other, 1);
        sut.Backplane.Settle();
        sut.RunReaders();
        Assert.Equal((null, 6L), (late.Failure, late.Got.Single().Number));
        Assert.Equal(1, sut.Backplane.Subscriptions);
    }

    [Theory, InlineData(1), InlineData(2)]
    public void Subscribers_that_share_a_question_which_the_backplane_does_not_take_are_asked_for_again(int failures)
    {
        int left = 0;
        SharedReader? other = null;
        ModelServer sut = null!;
        sut = new ModelServer(_hub, 1, retain: 0, beforeSubscribe: () =>
        {
            if (left == 0) return;
            left--;
            other ??= Start(sut, after: 15); // while the question is on its way to the backplane
            throw new IOException("not now");
        });
        Publish(new ModelServer(_hub, 2, retain: 0), 10);
        Join(sut);
        left = failures;

        Assert.Throws<IOException>(() => Start(sut, after: 15));
        sut.Backplane.Settle();
        sut.RunReaders();

        Assert.Equal(0, left);
        Assert.Equal(1, sut.Backplane.Subscriptions);
        Publish(new ModelServer(_hub, 3, retain: 0), 6);
        sut.Backplane.Settle();
        sut.RunReaders();
        if (failures == 1) Assert.Contains("its numbers have begun again", other!.Failure, StringComparison.Ordinal);
        else Assert.Equal((null, 16L), (other!.Failure, other.Got.Single().Number)); // it waited for an item that says it
    }

    private static void Publish(ModelServer server, int count)
    {
        for (int i = 0; i < count; i++) server.Publish("a");
        server.Backplane.Settle();
        server.RunReaders();
    }

    private static SharedReader Start(ModelServer server, long after) => server.Join("a", after);

    private static SharedReader Join(ModelServer server, long? after = null)
    {
        var reader = server.Join("a", after);
        server.Backplane.Settle();
        server.RunReaders();
        return reader;
    }
}
