using System.Threading.Tasks.Sources;

namespace Mux.Push;

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
