using Mux.Backplanes;

namespace Mux.Push;

/// <summary>
/// Topics of one kind that reach other servers: those with readers here subscribe at the backplane, and what is published here goes there. Safe for
/// concurrent use.
/// </summary>
/// <param name="shelf">The topics of this process.</param>
/// <param name="share">What they share.</param>
/// <param name="channelOf">Gets the backplane's name of a topic.</param>
internal sealed class SharedTopics<TKey, T>(TopicShelf<TKey, T> shelf, TopicShare<T> share, Func<TKey, string> channelOf)
    where TKey : notnull
{
    private const int Stripes = 64; // a power of two

    private readonly TopicStripe<TKey, T>[] _stripes = [.. Enumerable.Range(0, Stripes).Select(static _ => new TopicStripe<TKey, T>())];

    public MuxBackplane Backplane => share.Backplane;

    /// <summary>
    /// Publishes an item: other servers and the subscribers here get it by the backplane. If that does not take it, those here get it nevertheless.
    /// </summary>
    /// <param name="key">The key of the topic.</param>
    /// <param name="item">The item.</param>
    /// <param name="onSettled">Told what became of it at the backplane; null if its publisher does not wait.</param>
    /// <exception cref="ArgumentException">The key has no name.</exception>
    public void Publish(TKey key, TopicItem<T> item, Action<MuxPublishResult>? onSettled = null)
    {
        string channel = channelOf(key);
        share.Counters.OnEncoded(item.Encode([share.Codec], 1)); // user code, outside of locks
        byte[] message = TopicEnvelope.Create(share.Origin, item.BodyFor(0));
        var stripe = StripeOf(key);
        PublishLine<TKey, T> line;
        SharedTopic<T>? topic;
        bool isFirst, isInLine;
        lock (stripe.Gate)
        {
            // Numbers and places in the line are given together: so the order of numbers is the order in which the backplane gets the items.
            long count = stripe.NextLocked();
            TopicEnvelope.Number(message, count);
            if (stripe.Topics.TryGetValue(key, out topic)) topic.AddLocked(item, count); // first: it may come back before the backplane returns
            line = stripe.LineLocked(this, key, channel, out isFirst);
            isInLine = line.TryAddLocked(new PublishOffer<T>(item, message, count, onSettled));
            if (!isInLine) topic?.RefuseLocked(item, count);
        }

        if (!isInLine)
        {
            const int Most = PublishLine<TKey, T>.MostWaiting;
            share.Backplane.OnNotOffered();
            onSettled?.Invoke(new MuxPublishResult(IsTaken: false, $"{Most} items of this topic wait until {Backplane.Name} takes them: " +
                "await earlier items before further ones."));
        }

        topic?.Deliver();
        if (isFirst) line.Run();
    }

    /// <summary>Offers an item to the backplane, without locks. If it is not taken, the subscribers here get it at once.</summary>
    /// <returns>What was thrown; null if nothing was.</returns>
    public Exception? Offer(PublishLine<TKey, T> line, TopicStripe<TKey, T> stripe, in PublishOffer<T> offer)
    {
        Exception? thrown = null;
        try
        {
            var backplane = share.Backplane;
            bool isTaken = offer.OnSettled is { } onSettled
                ? backplane.TryPublish(line.Channel, offer.Message, share.Retain, offer.Count, onSettled)
                : backplane.TryPublish(line.Channel, offer.Message, share.Retain, offer.Count);
            if (isTaken) return null;
        }
        catch (Exception error)
        {
            thrown = error;
        }

        offer.OnSettled?.Invoke(new MuxPublishResult(IsTaken: false, thrown is not null
            ? $"{Backplane.Name} has thrown {thrown.GetType().Name}: {thrown.Message}"
            : Backplane.State == BackplaneState.Interrupted
                ? $"{Backplane.Name} is interrupted. It connects again by itself: publish again then."
                : $"{Backplane.Name} is too slow: {Backplane.Queued} messages wait. Await earlier items before further ones, or raise its limits."));

        SharedTopic<T>? topic;
        lock (stripe.Gate)
        {
            if (stripe.Topics.TryGetValue(line.Key, out topic)) topic.RefuseLocked(offer.Item, offer.Count);
        }

        try
        {
            if (topic is not null) topic.Deliver();
            else shelf.Publish(line.Key, offer.Item);
        }
        catch (Exception error) // of a codec of another method
        {
            thrown ??= error;
        }

        return thrown;
    }

    /// <summary>Lets a reader join, which gets the items of other servers from then on.</summary>
    public TReader Join<TReader>(TKey key, Func<TReader> join)
        where TReader : TopicReader<T>
    {
        string channel = channelOf(key);
        var stripe = StripeOf(key);
        SharedTopic<T>? topic;
        bool isInForce, isInterrupted = share.Backplane.State == BackplaneState.Interrupted;
        lock (stripe.Gate)
        {
            if (!stripe.Topics.TryGetValue(key, out topic))
            {
                stripe.Topics.Add(key, topic = Create(key, channel, stripe.Gate));
                topic.BeginsAlone = isInterrupted;

                // The backplane has all of a topic without readers. While it is interrupted, what was published here since then is all there is.
                if (isInterrupted) topic.SkipLocked(stripe.CountLocked);
                else shelf.Find(key)?.Clear();
            }

            topic.Joining++;
            isInForce = topic.IsInForce;
        }

        try
        {
            var reader = join();
            reader.Topic.Open(topic); // each of them: the topic may be another one than that of the first
            Start(topic, reader, isInForce);
            return reader;
        }
        finally
        {
            OnLeft(key, joined: 1);
        }
    }

    /// <summary>A reader has left, or did not join. May be called repeatedly.</summary>
    public void OnLeft(TKey key, int joined = 0)
    {
        var stripe = StripeOf(key);
        Topic<T>? topic;
        SharedTopic<T>? left;
        lock (stripe.Gate)
        {
            topic = shelf.Find(key); // that of the present readers: the one that was left may be an older one
            if (stripe.Topics.TryGetValue(key, out left))
            {
                left.Joining -= joined;
                if (left.Joining > 0 || topic is { HasReaders: true }) return;
                stripe.Topics.Remove(key);
            }
        }

        left?.End();
        if (topic is null) return;
        if (left is not null) topic.Clear(left); // the backplane has it: the next reader would get it twice
        shelf.OnEmpty(key, topic);
    }

    private static void Start(SharedTopic<T> topic, TopicReader<T> reader, bool isInForce)
    {
        try
        {
            topic.Start(topic.BeginsAlone ? reader.Topic.Next - 1 : 0);
            if (reader.Resumption is not { IsUnknown: true }) return;
            topic.Questions.Ask(reader, isInForce);
        }
        catch
        {
            reader.Topic.Leave(reader); // its caller does not get it, so cannot end it
            throw;
        }
    }

    private SharedTopic<T> Create(TKey key, string channel, Lock gate)
    {
        SharedTopic<T>? created = null;
        return created = new SharedTopic<T>(channel, share, gate, (item, number) => Deliver(key, channel, item, number, created!));
    }

    /// <summary>Hands an item to the readers here, with its number. A server that only passes the bytes on does not decode them.</summary>
    private void Deliver(TKey key, string channel, TopicItem<T> item, long number, SharedTopic<T> source)
    {
        try
        {
            if (TopicStamp<T>.IsUsed)
            {
                if (!item.IsReadable) return;
                ((IMuxTopicItem)item.Value!).Sequence = item.Number = number;
                item.Reset();
            }

            shelf.AddNumbered(key, item, source);
        }
        catch (Exception error) // of a codec: it cannot be read, or another method cannot send it
        {
            share.Backplane.OnUnreadable(channel, $"it cannot be encoded: {error.GetType().Name}: {error.Message}");
        }
    }

    private TopicStripe<TKey, T> StripeOf(TKey key) => _stripes[key.GetHashCode() & (Stripes - 1)];
}
