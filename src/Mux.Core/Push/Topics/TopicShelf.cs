using System.Collections.Concurrent;
using Mux.Contracts;

namespace Mux.Push;

/// <summary>
/// All topics of one kind by their keys, within the limits of bytes and of topics without readers. Safe for concurrent use.
/// </summary>
/// <remarks>
/// What was last used longest ago is forgotten first. To use a topic costs one store: the order of <see cref="_kept"/> is that of an earlier time, and a
/// topic that is found there too early goes to its end once more.
/// </remarks>
internal sealed class TopicShelf<TKey, T>(TopicSettings settings, long maxBytes, int maxIdleTopics, MessageCodec<T>? shared = null)
    where TKey : notnull
{
    /// <summary>Topics that one publisher looks at to find those to forget.</summary>
    private const int Looks = 64;

    private readonly ConcurrentDictionary<TKey, Topic<T>> _topics = new();
    private readonly bool _keepsIdle = settings.Retain > 0 || TopicStamp<T>.IsUsed; // else a topic without readers has nothing
    private readonly Lock _gate = new();
    private readonly Queue<Place> _kept = new(); // every topic once, if topics without readers are kept; guarded by the lock
    private int _count; // of topics: the dictionary takes all of its locks to count them

    public TopicSettings Settings => settings;

    public TopicCodecs<T> Codecs { get; } = new(shared);

    /// <summary>What brings the items of other servers; null if there are none.</summary>
    public SharedTopics<TKey, T>? Shared { get; set; }

    public int Count => Volatile.Read(ref _count);

    /// <summary>Gets the topic for an item; null if no subscriber will get the item.</summary>
    public Topic<T>? FindToPublish(TKey key) => _topics.TryGetValue(key, out var topic) ? topic : _keepsIdle ? Create(key) : null;

    /// <summary>Lets a reader into a topic. Encodes what is retained for it, on this thread.</summary>
    public TReader Join<TReader>(TKey key, Func<Topic<T>, TReader> create)
        where TReader : TopicReader<T> =>
        Shared is { } others ? others.Join(key, () => JoinHere(key, create)) : JoinHere(key, create);

    /// <summary>Publishes an item in this process alone. Encodes it, on this thread.</summary>
    public void Publish(TKey key, TopicItem<T> item)
    {
        long now = settings.Counters.Published;
        while (FindToPublish(key) is { } topic)
        {
            topic.Used = now;
            long number = 0;
            if (TopicStamp<T>.IsUsed)
            {
                ((IMuxTopicItem)item.Value!).Sequence = item.Number = number = topic.Next;
                item.Reset();
            }

            int codecs = topic.Codecs; // before the list, which only grows
            var known = Codecs.All;
            settings.Counters.OnEncoded(item.Encode(known, Math.Max(codecs, Math.Min(1, known.Length)))); // one at least, so that the size is known
            var added = topic.Add(item, number);
            if (added == TopicAdd.Added) KeepLimits(topic);
            if (added is TopicAdd.Added or TopicAdd.OtherSource) return;
        }
    }

    /// <summary>Adds an item that has its number already, and encodes it for the readers.</summary>
    public void AddNumbered(TKey key, TopicItem<T> item, object? source)
    {
        while (FindToPublish(key) is { } topic)
        {
            topic.Used = settings.Counters.Published;
            settings.Counters.OnEncoded(item.Encode(Codecs.All, Math.Max(topic.Codecs, 1)));
            var added = topic.Add(item, 0, source);
            if (added == TopicAdd.Added) KeepLimits(topic);
            if (added is TopicAdd.Added or TopicAdd.OtherSource) return;
        }
    }

    /// <summary>Gets a topic, if it is kept.</summary>
    public Topic<T>? Find(TKey key) => _topics.GetValueOrDefault(key);

    private TReader JoinHere<TReader>(TKey key, Func<Topic<T>, TReader> create)
        where TReader : TopicReader<T>
    {
        while (true)
        {
            var topic = _topics.TryGetValue(key, out var known) ? known : Create(key);
            var reader = create(topic);
            while (topic.TryJoin(reader, out var unencoded))
            {
                if (unencoded is null) return reader;
                foreach (var item in unencoded)
                {
                    if (item.IsReadable) settings.Counters.OnEncoded(item.Encode(Codecs.All, reader.Codec + 1));
                    else topic.DropThrough(item);
                }
            }
        }
    }

    /// <summary>A reader has left a topic.</summary>
    public void OnLeft(TKey key, Topic<T> topic)
    {
        if (Shared is { } others) others.OnLeft(key);
        else OnEmpty(key, topic);
    }

    /// <summary>A topic may have lost its last reader.</summary>
    public void OnEmpty(TKey key, Topic<T> topic)
    {
        if (!_keepsIdle && topic.TryForget()) Remove(key, topic);
    }

    /// <summary>Forgets topics without readers, and then items of the topic that has got one, until the limits hold.</summary>
    public void KeepLimits(Topic<T> topic)
    {
        if (IsFull) Forget(topic);
        while (settings.Counters.KeptBytes > maxBytes && topic.TryDropOldest())
        {
        }
    }

    private bool IsFull => settings.Counters.KeptBytes > maxBytes || Count - settings.Counters.UsedTopics > maxIdleTopics;

    private Topic<T> Create(TKey key)
    {
        bool isShared = Shared is not null;
        var created = new Topic<T>(settings, isShared ? OwnNumbers.NewRun() + 1 : settings.FirstNumber, isShared) { Used = settings.Counters.Published };
        var topic = _topics.GetOrAdd(key, created);
        if (topic != created) return topic;
        Interlocked.Increment(ref _count);
        if (!_keepsIdle) return topic;
        lock (_gate) _kept.Enqueue(new Place(key, topic, topic.Used));
        return topic;
    }

    private void Remove(TKey key, Topic<T> topic)
    {
        if (_topics.TryRemove(new(key, topic))) Interlocked.Decrement(ref _count);
    }

    /// <summary>Forgets topics, but not the one that has got an item.</summary>
    private void Forget(Topic<T> used)
    {
        lock (_gate)
        {
            for (int looks = Math.Min(Looks, _kept.Count); looks > 0 && IsFull; looks--)
            {
                var oldest = _kept.Dequeue();
                long at = oldest.Topic.Used;
                if (at == oldest.Used && oldest.Topic != used && oldest.Topic.TryForget()) Remove(oldest.Key, oldest.Topic);
                else _kept.Enqueue(oldest with { Used = at });
            }
        }
    }

    private readonly record struct Place(TKey Key, Topic<T> Topic, long Used);
}

/// <summary>The codecs of all methods that send items of some topics, numbered in the order in which they came. Safe for concurrent use.</summary>
/// <param name="shared">The codec of items between servers, whose number is 0; null if there is none.</param>
internal sealed class TopicCodecs<T>(MessageCodec<T>? shared)
{
    private readonly Lock _gate = new();
    private volatile MessageCodec<T>[] _all = shared is null ? [] : [shared]; // replaced by a longer one, never changed

    public MessageCodec<T>[] All => _all;

    /// <summary>Gets the number of a codec.</summary>
    public int NumberOf(MessageCodec<T> codec)
    {
        if (IsShared(codec)) return 0;
        int number = Array.IndexOf(_all, codec);
        if (number >= 0) return number;
        lock (_gate)
        {
            number = Array.IndexOf(_all, codec);
            if (number >= 0) return number;
            _all = [.. _all, codec];
            return _all.Length - 1;
        }
    }

    /// <summary>
    /// A contract has one class of codecs for each type of message and serializer, so another method of the contract writes the same bytes. Codecs of
    /// <see cref="MuxResult{T}"/> may differ in what they hold.
    /// </summary>
    private bool IsShared(MessageCodec<T> codec) => shared is not null && (codec == shared || (codec.GetType() == shared.GetType() && !codec.HoldsFailures));
}

/// <summary>Whether items of a type know their numbers.</summary>
internal static class TopicStamp<T>
{
    /// <summary>True if all of them do. A value type does not: what is stamped would be a copy.</summary>
    public static bool IsUsed { get; } = !typeof(T).IsValueType && typeof(IMuxTopicItem).IsAssignableFrom(typeof(T));
}

/// <summary>What all topics of one kind share.</summary>
/// <param name="Queue">Most items that wait for a reader.</param>
/// <param name="Retain">Items that new readers get first.</param>
/// <param name="KeepsLatest">True if a reader that had to wait gets the latest item alone.</param>
/// <param name="MissesNothing">True if a reader ends for which too many items wait. If both are false, it misses the oldest.</param>
/// <param name="Window">Most items that are under way to a reader of another process, and not taken.</param>
/// <param name="HasUniqueNumbers">True if the numbers of a topic begin with the time, so that none comes again.</param>
/// <param name="Counters">Counts for all of them.</param>
/// <param name="FanOut">Runs their readers.</param>
internal sealed record TopicSettings(
    int Queue, int Retain, bool KeepsLatest, bool MissesNothing, int Window, bool HasUniqueNumbers, TopicCounters Counters, FanOut FanOut)
{
    /// <summary>The number of the first item of a topic that begins now.</summary>
    public long FirstNumber => HasUniqueNumbers ? (TimeProvider.System.GetUtcNow() - DateTimeOffset.UnixEpoch).Ticks / TimeSpan.TicksPerMicrosecond : 1;
}
