using System.Diagnostics.Metrics;
using System.Security.Cryptography;
using Mux.Backplanes;
using Mux.Push;
using Mux.Runtime;
using Mux.Telemetry;

namespace Mux;

/// <summary>
/// Topics of one kind, by key: what is published under a key goes to all its subscribers. A service method returns a subscription as its response
/// stream: <c>IAsyncEnumerable&lt;Tick&gt; Watch(string symbol) => ticks.Subscribe(symbol);</c>
/// </summary>
/// <remarks>
/// <para>An item is encoded once, not once per subscriber. <see cref="Publish"/> costs the same for any number of subscribers and never waits for one:
/// threads of the library send the items, as many at once as have gathered. A subscriber that is too slow misses items or is ended, as
/// <see cref="MuxTopicOptions.WhenSlow"/> says, and delays no other.</para>
/// <para>A subscriber gets the items of a topic in the order in which they were published, each at most once, the retained ones first. An item that is
/// published while it subscribes is either among these or follows them: none is left out. Items of different keys have no order.</para>
/// <para>When a server begins to drain, its subscriptions end at once, in a failure with <see cref="MuxStatus.Unavailable"/>: subscribers call again, and
/// another server takes the call.</para>
/// <para>Topics live in this process: a subscriber gets what is published in the process whose server it called. With
/// <see cref="MuxTopicOptions.ShareAs{TContract}"/> they are shared by all servers of a <see cref="MuxBackplane"/>. Then items that one server publishes
/// under a key come in this order, at most once, at all servers; <see cref="Publish"/> still waits for nothing.</para>
/// <para>Safe for concurrent use.</para>
/// </remarks>
/// <typeparam name="TKey">The key of a topic.</typeparam>
/// <typeparam name="TItem">An item: a message of a contract. It must not change once it was published: it may be encoded later.</typeparam>
public sealed class MuxTopics<TKey, TItem>
    where TKey : notnull
{
    /// <summary>Items under way to a subscriber that wants the latest: the one that it handles, and the next one.</summary>
    private const int LatestWindow = 2;

    private readonly TopicShelf<TKey, TItem> _shelf;
    private readonly TopicCounters _counters;

    /// <summary>Creates topics.</summary>
    /// <param name="options">The options; null for the defaults.</param>
    /// <param name="meters">Makes the meters, for example of a host; null for those of the process.</param>
    /// <exception cref="ArgumentException">An option is not valid; the message names it and the allowed values. Or
    /// <see cref="MuxTopicOptions.UniqueNumbers"/> is set, and items have no numbers (<see cref="IMuxTopicItem"/>). Or the topics are shared, and the contract
    /// of <see cref="MuxTopicOptions.ShareAs{TContract}"/> has no stream of such items, or the keys need
    /// <see cref="MuxTopicOptions.NameKeys{TKey}"/>.</exception>
    public MuxTopics(MuxTopicOptions? options = null, IMeterFactory? meters = null)
    {
        options ??= new MuxTopicOptions();
        var failures = options.Validate().ToList();
        if (failures.Count > 0) throw new ArgumentException($"The options of the topics are not valid: {string.Join(' ', failures)}", nameof(options));
        if (options.UniqueNumbers && !TopicStamp<TItem>.IsUsed)
            throw new ArgumentException($"{nameof(MuxTopicOptions.UniqueNumbers)} of the topics is set, but {NoNumbers}", nameof(options));
        _counters = new TopicCounters(options.Name.Length > 0 ? options.Name : typeof(TItem).Name);
        var settings = new TopicSettings(options.Queue, options.Retain, KeepsLatest: options.WhenSlow == MuxSlowSubscriber.KeepLatest,
            MissesNothing: options.WhenSlow == MuxSlowSubscriber.End, Window: options.WhenSlow == MuxSlowSubscriber.KeepLatest ? LatestWindow : options.Queue,
            options.UniqueNumbers, _counters, FanOut.OfProcess);
        _shelf = options.Backplane is { } backplane ? Share(options, settings, backplane)
            : new TopicShelf<TKey, TItem>(settings, options.MaxBytes, options.MaxIdleTopics);
        MuxMetrics.For(meters).Topics.Add(_counters);
    }

    /// <summary>Gets what carries the items to other servers, with its state; null if the topics are of this process alone.</summary>
    public MuxBackplane? Backplane => _shelf.Shared?.Backplane;

    /// <summary>Publishes an item to all subscribers of a topic. Returns before they have it.</summary>
    /// <param name="key">The key of the topic.</param>
    /// <param name="item">
    /// The item. It must not change from now on. If it is an <see cref="IMuxTopicItem"/>, it gets its number, and is published once only.
    /// </param>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    /// <exception cref="ArgumentException">The topics are shared with other servers, and the name of the key is longer than 1,024 characters.</exception>
    /// <remarks>If the item cannot be encoded, the exception of its codec is thrown, and no subscriber gets the item. If topics are shared, the item gets its
    /// number after this method has returned.</remarks>
    public void Publish(TKey key, TItem item)
    {
        ArgumentNullException.ThrowIfNull(key);
        ArgumentNullException.ThrowIfNull(item);
        var published = new TopicItem<TItem>(item);
        _counters.OnPublished();
        if (_shelf.Shared is { } shared) shared.Publish(key, published);
        else _shelf.Publish(key, published);
    }

    /// <summary>
    /// Publishes an item to all subscribers of a topic, and waits until the backplane has it, if the topics are shared. Tells what was not taken.
    /// </summary>
    /// <param name="key">The key of the topic.</param>
    /// <param name="item">The item, as for <see cref="Publish"/>.</param>
    /// <param name="cancellationToken">Ends the wait; the item is published nevertheless.</param>
    /// <returns>
    /// Whether other servers get the item, or why not: too much waits for the backplane, it is interrupted, or it has refused this item. Subscribers of
    /// this server get it in any case. It does not say whether subscribers are fast enough.
    /// </returns>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    /// <exception cref="ArgumentException">The topics are shared with other servers, and the name of the key is longer than 1,024 characters.</exception>
    /// <exception cref="OperationCanceledException"><paramref name="cancellationToken"/> was cancelled before the answer was there.</exception>
    /// <remarks>
    /// A publisher that awaits each item is as fast as the backplane, and floods it with nothing. It throws what <see cref="Publish"/> throws.
    /// </remarks>
    public ValueTask<MuxPublishResult> PublishAsync(TKey key, TItem item, CancellationToken cancellationToken = default)
    {
        if (_shelf.Shared is not { } shared)
        {
            Publish(key, item);
            return new ValueTask<MuxPublishResult>(new MuxPublishResult(IsTaken: true, string.Empty));
        }

        ArgumentNullException.ThrowIfNull(key);
        ArgumentNullException.ThrowIfNull(item);
        var settled = new TaskCompletionSource<MuxPublishResult>(TaskCreationOptions.RunContinuationsAsynchronously);
        _counters.OnPublished();
        shared.Publish(key, new TopicItem<TItem>(item), result => settled.TrySetResult(result));
        return new ValueTask<MuxPublishResult>(settled.Task.WaitAsync(cancellationToken));
    }

    /// <summary>Gets the items of a topic: the retained ones, and then what is published.</summary>
    /// <param name="key">The key of the topic.</param>
    /// <returns>
    /// A stream without end, for a service method to return. Code of this process may enumerate it, too. Each enumeration is a subscription, which begins
    /// with it and ends with it.
    /// </returns>
    /// <exception cref="ArgumentNullException"><paramref name="key"/> is null.</exception>
    public IAsyncEnumerable<TItem> Subscribe(TKey key)
    {
        ArgumentNullException.ThrowIfNull(key);
        return new TopicSubscription<TKey, TItem>(_shelf, key);
    }

    /// <summary>
    /// Gets the items of a topic that follow one: for a subscriber that comes back. It continues without a gap, or is told that there is one.
    /// </summary>
    /// <param name="key">The key of the topic.</param>
    /// <param name="after">The <see cref="IMuxTopicItem.Sequence"/> of the last item that the subscriber has.</param>
    /// <returns>
    /// A stream as that of <see cref="Subscribe(TKey)"/>. It begins with the item whose number is greater by 1. If the topic does not have that any more,
    /// or the number is not one of this topic, the stream fails with <see cref="MuxStatus.OutOfRange"/> instead of its first item: at once, or as soon as the
    /// backplane of shared topics answers.
    /// </returns>
    /// <exception cref="ArgumentNullException"><paramref name="key"/> is null.</exception>
    /// <exception cref="InvalidOperationException">Items have no numbers (<see cref="IMuxTopicItem"/>), or the numbers may come again: neither
    /// <see cref="MuxTopicOptions.UniqueNumbers"/> is set, nor have the topics a backplane with <see cref="MuxBackplane.HasUniqueNumbers"/>.</exception>
    /// <remarks>How far back it reaches is <see cref="MuxTopicOptions.Retain"/>. A number that a server gave while its backplane was interrupted is known to
    /// this server alone, until the interruption is over: then, and at other servers, the stream fails as if items were missing.</remarks>
    public IAsyncEnumerable<TItem> Subscribe(TKey key, long after)
    {
        ArgumentNullException.ThrowIfNull(key);
        if (!TopicStamp<TItem>.IsUsed)
            throw new InvalidOperationException($"The topics cannot continue after an item: {NoNumbers}");
        if (!(_shelf.Shared is { } shared ? shared.Backplane.HasUniqueNumbers : _shelf.Settings.HasUniqueNumbers))
        {
            throw new InvalidOperationException($"The numbers of {_counters.Name} begin again at 1 when the server starts, so they say nothing to a " +
                $"subscriber that comes back: set {nameof(MuxTopicOptions.UniqueNumbers)}, or share the topics by a backplane with unique numbers.");
        }

        return new TopicSubscription<TKey, TItem>(_shelf, key, after);
    }

    /// <summary>Gets the statistics of all topics as of now.</summary>
    public MuxTopicStatistics GetStatistics() => new(
        _counters.Published, _counters.Encoded, _counters.Delivered, _counters.Missed, _counters.Subscribers, _shelf.Count, _counters.KeptBytes);

    private static string NoNumbers => $"items of {typeof(TItem)} have no numbers: expected a class that implements {nameof(IMuxTopicItem)}.";

    private static TopicShelf<TKey, TItem> Share(MuxTopicOptions options, TopicSettings settings, MuxBackplane backplane)
    {
        var codec = new ResponseCodec<TItem>();
        options.Describe!(codec);
        if (codec.Found is not { } found)
        {
            throw new ArgumentException($"ShareAs<{options.Contract!.Name}>() of the topics: {options.Contract} has no method that returns a stream of " +
                $"{typeof(TItem)}. Expected a contract whose subscribers get these items.", nameof(options));
        }

        found.Prepare();
        var channelOf = ChannelNames.Of<TKey>($"topics:{options.Name}{(options.Name.Length > 0 ? ":" : string.Empty)}{typeof(TItem)}:", options.KeyName);
        ulong origin = BitConverter.ToUInt64(RandomNumberGenerator.GetBytes(sizeof(ulong)));
        var shelf = new TopicShelf<TKey, TItem>(settings, options.MaxBytes, options.MaxIdleTopics, found);
        var share = new TopicShare<TItem>(backplane, found, origin, settings.Retain, settings.Counters, WorkQueue.OfProcess);
        shelf.Shared = new SharedTopics<TKey, TItem>(shelf, share, channelOf);
        return shelf;
    }
}
