using System.Threading.Tasks.Sources;

namespace Mux.Tool.Load;

/// <summary>Items of which so many may be on their way at a time: the sending half of a stream that gives each back. Enumerated once.</summary>
/// <param name="size">How many, 1 and up.</param>
/// <param name="next">Makes one; null at the end. Called by the enumerator, one at a time.</param>
/// <remarks>
/// <para>Once all are on their way the sender waits until a quarter of them is back, as one does who reads and writes in batches: a sender that is resumed for
/// each answer measures how fast two state machines take turns. It goes on where the answer was read, and not as a work item of its own, as the calls of a
/// closed loop do.</para>
/// <para>Leaner than an async iterator, for the reason of <see cref="Workloads.ItemSequence{T}"/>.</para>
/// </remarks>
internal sealed class ExchangeItems<T>(int size, Func<T?> next) : IAsyncEnumerable<T>, IAsyncEnumerator<T>, IValueTaskSource<bool>
    where T : class
{
    private readonly int _batch = Math.Max(1, size / 4);
    private readonly Lock _gate = new(); // guards what is said to be
    private ManualResetValueTaskSourceCore<bool> _room;
    private T? _current;
    private long _sent; // the enumerator's
    private long _back; // written by who reads the answers
    private bool _isWaiting; // written under the lock
    private bool _isEnded; // written under the lock

    public T Current => _current!;

    public IAsyncEnumerator<T> GetAsyncEnumerator(CancellationToken cancellationToken = default) => this;

    public ValueTask<bool> MoveNextAsync()
    {
        if (_sent - Volatile.Read(ref _back) < size) return new ValueTask<bool>(Make());
        lock (_gate)
        {
            _room.Reset();
            Volatile.Write(ref _isWaiting, true);
        }

        Interlocked.MemoryBarrier(); // OnAnswer counts first and looks at the flag then
        Resume();
        return new ValueTask<bool>(this, _room.Version);
    }

    /// <summary>An answer came. One thread at a time.</summary>
    public void OnAnswer()
    {
        Interlocked.Increment(ref _back);
        if (Volatile.Read(ref _isWaiting)) Resume();
    }

    /// <summary>No answer comes any more: there is no further item.</summary>
    public void End()
    {
        lock (_gate) Volatile.Write(ref _isEnded, true);
        Resume();
    }

    public ValueTask DisposeAsync() => default;

    bool IValueTaskSource<bool>.GetResult(short token)
    {
        _room.GetResult(token);
        return Make();
    }

    ValueTaskSourceStatus IValueTaskSource<bool>.GetStatus(short token) => _room.GetStatus(token);

    void IValueTaskSource<bool>.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _room.OnCompleted(continuation, state, token, flags);

    private bool Make()
    {
        if (Volatile.Read(ref _isEnded)) return false;
        _sent++;
        _current = next();
        return _current is not null;
    }

    /// <summary>Lets the sender go on, if it waits and there is room for a batch.</summary>
    private void Resume()
    {
        lock (_gate)
        {
            if (!_isWaiting || (_sent - Volatile.Read(ref _back) > size - _batch && !_isEnded)) return;
            _isWaiting = false;
        }

        _room.SetResult(true);
    }
}
