using System.Diagnostics;
using System.Threading.Tasks.Sources;
using Mux.Calls;
using Mux.Contracts;
using Mux.Engine;

namespace Mux.Push;

/// <summary>A reader of one topic: where it is, and whether it waits for items. What is not said otherwise is guarded by the lock of the topic.</summary>
internal abstract class TopicReader<T>(Topic<T> topic, int codec) : SweptReader
{
    protected const string TooSlow =
        "The subscriber is too slow: more items wait for it than Queue of the topics allows, and WhenSlow says that it may miss none.";

    public Topic<T> Topic => topic;

    /// <summary>Number of the codec that encodes items for it; -1 if it takes the values.</summary>
    public int Codec => codec;

    /// <summary>Where it continues; null if it takes what comes. Set before it joins.</summary>
    public TopicResumption? Resumption { get; init; }

    /// <summary>Asks whether it can continue; null if its topic knows. Set before it runs, and disposed when it leaves.</summary>
    public IDisposable? Question { get; set; }

    /// <summary>Place of the item that it gets next.</summary>
    public long At { get; set; }

    /// <summary>Place of the first item that was not retained for it when it joined: those before it are not replaced by later ones.</summary>
    public long JoinedAt { get; set; }

    /// <summary>The reader before it in the list of idle readers.</summary>
    public TopicReader<T>? Before { get; set; }

    /// <summary>Number of the list of idle readers that it was put into last.</summary>
    public long IdleList { get; set; }

    /// <summary>True from when it has joined its topic until it has left it.</summary>
    public bool IsJoined { get; set; }

    /// <summary>True if it has waited for its peer since it last took items. Owned by the thread that runs it.</summary>
    public bool HasWaited { get; set; }

    /// <summary>It waits for its peer, and more items wait for it than may. Any thread.</summary>
    public abstract void OnTooSlow();
}

/// <summary>
/// A reader of a topic, or a member of groups. It is in one list at a time: that of the idle readers of its topic, or that of those which have something to do.
/// </summary>
internal abstract class SweptReader
{
    /// <summary>The next one of its list. Guarded by the lock of the list.</summary>
    public SweptReader? Next { get; set; }

    /// <summary>Does what there is to do, without waiting. Called by one thread at a time. Throws nothing.</summary>
    public abstract void Run();
}

/// <summary>Some of the topics that are shared with other servers, with their lock. No code of users runs under it but the comparison of keys.</summary>
internal sealed class TopicStripe<TKey, T>
    where TKey : notnull
{
    private readonly Dictionary<TKey, PublishLine<TKey, T>> _lines = []; // of topics of which something is on its way to the backplane
    private PublishLine<TKey, T>? _spare;
    private long _count;

    /// <summary>Guards all of it.</summary>
    public Lock Gate { get; } = new();

    /// <summary>The topics that have readers here.</summary>
    public Dictionary<TKey, SharedTopic<T>> Topics { get; } = [];

    /// <summary>Number of the last item that was published here.</summary>
    public long CountLocked
    {
        get
        {
            Debug.Assert(Gate.IsHeldByCurrentThread);
            return _count;
        }
    }

    /// <summary>Gets the number of the next item: within a topic they grow.</summary>
    public long NextLocked()
    {
        Debug.Assert(Gate.IsHeldByCurrentThread);
        return ++_count;
    }

    /// <summary>Gets the line of a topic.</summary>
    /// <param name="owner">The topics.</param>
    /// <param name="key">The topic.</param>
    /// <param name="channel">The backplane's name of it.</param>
    /// <param name="isFirst">True if no line was there: this thread runs it.</param>
    public PublishLine<TKey, T> LineLocked(SharedTopics<TKey, T> owner, TKey key, string channel, out bool isFirst)
    {
        Debug.Assert(Gate.IsHeldByCurrentThread);
        isFirst = !_lines.TryGetValue(key, out var line);
        if (!isFirst) return line!;
        line = _spare ?? new PublishLine<TKey, T>(owner, this) { Key = key, Channel = channel };
        (_spare, line.Key, line.Channel) = (null, key, channel);
        _lines.Add(key, line);
        return line;
    }

    /// <summary>Nothing is in a line anymore.</summary>
    public void EndLocked(PublishLine<TKey, T> line)
    {
        Debug.Assert(Gate.IsHeldByCurrentThread);
        _lines.Remove(line.Key);
        if (line.IsSmallLocked) _spare = line;
    }
}

/// <summary>
/// The items of one topic from now on, as a method returns them. A call sends them by a <see cref="PushedReader{T}"/>; other code enumerates the values. Each
/// enumeration is a subscription of its own.
/// </summary>
internal sealed class TopicSubscription<TKey, T>(TopicShelf<TKey, T> shelf, TKey key, long? after = null) : IAsyncEnumerable<T>, IPushedItems<T>
    where TKey : notnull
{
    public IAsyncEnumerator<T> GetAsyncEnumerator(CancellationToken cancellationToken = default)
    {
        var reader = shelf.Join(key, topic => new LocalReader<T>(topic, left => shelf.OnLeft(key, left), cancellationToken) { Resumption = Resume() });
        reader.WatchToken();
        return reader;
    }

    public async Task<bool> SendAsync(MessageCodec<T> codec, OutboundStream stream, Action<int>? onSent, CancellationToken cancellationToken)
    {
        int number = shelf.Codecs.NumberOf(codec);
        var reader = shelf.Join(key, topic => new PushedReader<T>(topic, number, stream, shelf.Settings.FanOut, onSent) { Resumption = Resume() });
        stream.LimitItems(shelf.Settings.Window);
        var cancelling = cancellationToken.UnsafeRegister(static state => ((PushedReader<T>)state!).Cancel(), reader);
        if (stream.Pushed.TryAdd(reader)) shelf.Settings.FanOut.Add(reader);
        else reader.EndUnrun();
        try
        {
            await reader.Ended.ConfigureAwait(false);
            return false;
        }
        finally
        {
            stream.Pushed.Remove(reader);
            await cancelling.DisposeAsync().ConfigureAwait(false);
            shelf.OnLeft(key, reader.Topic);
        }
    }

    private TopicResumption? Resume() => after is { } last ? new TopicResumption(last) : null;
}

/// <summary>A reader in this process, which takes the values: a service that makes something else of them, or a test. Used by one caller at a time.</summary>
internal sealed class LocalReader<T> : TopicReader<T>, IAsyncEnumerator<T>, IValueTaskSource
{
    private readonly Action<Topic<T>> _onLeft;
    private readonly CancellationToken _cancellationToken;
    private CancellationTokenRegistration _cancelling;
    private ManualResetValueTaskSourceCore<bool> _news = new() { RunContinuationsAsynchronously = true };
    private TopicItem<T>? _item;

    public LocalReader(Topic<T> topic, Action<Topic<T>> onLeft, CancellationToken cancellationToken)
        : base(topic, codec: -1)
    {
        (_onLeft, _cancellationToken) = (onLeft, cancellationToken);
    }

    /// <summary>Heeds the caller's token from now on. Called once, when the reader has joined: one that leaves before it joins would never leave.</summary>
    public void WatchToken() => _cancelling = _cancellationToken.UnsafeRegister(static state => ((LocalReader<T>)state!).Leave(), this);

    public T Current => _item is null ? default! : _item.Value;

    public async ValueTask<bool> MoveNextAsync()
    {
        while (true)
        {
            _news.Reset();
            HasWaited = true; // the caller was busy with the item before
            switch (Topic.Take(this, new Span<TopicItem<T>?>(ref _item), out _))
            {
                case TopicNews.Items:
                    if (_item!.IsReadable) return true;
                    break;
                case TopicNews.Nothing:
                    if (Topic.TryIdle(this)) await new ValueTask(this, _news.Version).ConfigureAwait(false);
                    break;
                case TopicNews.TooMany:
                    await DisposeAsync().ConfigureAwait(false);
                    throw new MuxException(MuxStatus.ResourceExhausted, TooSlow);
                case TopicNews.Gap:
                    await DisposeAsync().ConfigureAwait(false);
                    throw Resumption!.Failure();
                default:
                    _cancellationToken.ThrowIfCancellationRequested();
                    return false;
            }
        }
    }

    public override void Run() => _news.SetResult(true);

    public override void OnTooSlow()
    {
        // It waits for no peer.
    }

    public ValueTask DisposeAsync()
    {
        Leave();
        return _cancelling.DisposeAsync();
    }

    void IValueTaskSource.GetResult(short token) => _news.GetResult(token);

    ValueTaskSourceStatus IValueTaskSource.GetStatus(short token) => _news.GetStatus(token);

    void IValueTaskSource.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _news.OnCompleted(continuation, state, token, flags);

    private void Leave()
    {
        if (Topic.Leave(this)) Run();
        _onLeft(Topic);
    }
}
