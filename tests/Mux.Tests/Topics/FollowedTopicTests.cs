using System.Runtime.CompilerServices;
using Mux.TestSupport.Transports;

namespace Mux.Tests.Topics;

/// <summary>A client that follows a topic over the ends of its subscriptions.</summary>
public sealed class FollowedTopicTests
{
    private const int Items = 100;

    private readonly MuxTopics<string, Tick> _topics = new(new MuxTopicOptions { Retain = 10, UniqueNumbers = true });
    private int _subscriptions;

    [Fact]
    public async Task A_topic_that_is_followed_over_reconnects_misses_nothing_and_repeats_nothing()
    {
        List<int> got = [];
        Publish(3);
        await foreach (var tick in MuxTopic.FollowAsync(Cut, cancellationToken: TestContext.Current.CancellationToken))
        {
            got.Add(tick.Price);
            if (got.Count == Items) break;
            if (got.Count % 3 == 0) Publish(3); // as the subscription is about to end
        }

        Assert.Equal(Enumerable.Range(0, Items), got);
        Assert.True(_subscriptions >= Items / 3);
    }

    [Fact]
    public async Task A_gap_is_told_once_and_then_the_topic_is_followed_from_now_on()
    {
        var gaps = new List<string>();
        List<int> got = [];
        Publish(1);
        await foreach (var tick in MuxTopic.FollowAsync(Cut, OnGapAsync, cancellationToken: TestContext.Current.CancellationToken))
        {
            got.Add(tick.Price);
            if (got.Count == 1) Publish(2);
            if (got.Count == 3) Publish(50);
            if (got[^1] == 52) break;
        }

        Assert.Equal([0, 1, 2, .. Enumerable.Range(43, 10)], got);
        Assert.Contains("are not kept", Assert.Single(gaps), StringComparison.Ordinal);

        ValueTask OnGapAsync(MuxException failure, CancellationToken cancellationToken)
        {
            gaps.Add(failure.Message);
            return default;
        }
    }

    [Fact]
    public async Task A_gap_ends_the_stream_of_a_client_that_does_not_ask_for_it()
    {
        Publish(3);
        var error = await Assert.ThrowsAsync<MuxException>(async () =>
        {
            await foreach (var tick in MuxTopic.FollowAsync(Cut, cancellationToken: TestContext.Current.CancellationToken))
            {
                if (tick.Price == 2) Publish(50);
            }
        }).Within("the end of the stream");
        Assert.Equal(MuxStatus.OutOfRange, error.Status);
    }

    [Fact]
    public async Task Items_that_a_slow_client_has_missed_are_told()
    {
        const int Last = 2_000; // more than the queue
        var gaps = new List<string>();
        List<long> got = [];
        Publish(1);
        await foreach (var tick in MuxTopic.FollowAsync(Follow, OnGapAsync, cancellationToken: TestContext.Current.CancellationToken))
        {
            if (got.Count == 0) Publish(Last);
            got.Add(tick.Sequence);
            if (tick.Price == Last) break;
        }

        int hole = Enumerable.Range(1, got.Count - 1).Single(i => got[i] != got[i - 1] + 1);
        Assert.StartsWith($"Items {got[hole - 1] + 1} to {got[hole] - 1} are missing", Assert.Single(gaps), StringComparison.Ordinal);

        IAsyncEnumerable<Tick> Follow(long? after, CancellationToken cancellationToken) => after is { } last ? _topics.Subscribe("a", last) : _topics.Subscribe("a");

        ValueTask OnGapAsync(MuxException failure, CancellationToken cancellationToken)
        {
            gaps.Add(failure.Message);
            return default;
        }
    }

    private void Publish(int count)
    {
        for (int i = 0; i < count; i++) _topics.Publish("a", new Tick { Price = (int)_topics.GetStatistics().Published });
    }

    /// <summary>A server that stops after three items.</summary>
    private async IAsyncEnumerable<Tick> Cut(long? after, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        _subscriptions++;
        int items = 0;
        await foreach (var tick in (after is { } last ? _topics.Subscribe("a", last) : _topics.Subscribe("a")).WithCancellation(cancellationToken))
        {
            yield return tick;
            if (++items == 3) throw new MuxException(MuxStatus.Unavailable, "The server is about to stop.");
        }
    }
}
