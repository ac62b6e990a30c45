using System.Threading.Tasks.Sources;

namespace Mux.Tool.Load;

/// <summary>The sending half of a stream that returns each item, with a limited number of items in flight. Enumerated once.</summary>
/// <param name="size">Maximum number in flight, 1 and up.</param>
/// <param name="next">Creates an item; null at the end. The enumerator calls it, one call at a time.</param>
/// <remarks>
/// <para>Once the limit is reached, the sender waits until a quarter of the items are back, like programs that read and write in batches. A sender resumed for
/// each answer would measure how fast two state machines take turns. It continues on the thread that read the answer, not as a work item, like the calls of a
/// closed loop.</para>
/// <para>Leaner than an async iterator, for the reason given in <see cref="Workloads.ItemSequence{T}"/>.</para>
/// </remarks>
internal sealed class ExchangeItems<T>(int size, Func<T?> next) : IAsyncEnumerable<T>, IAsyncEnumerator<T>, IValueTaskSource<bool>
    where T : class
{
    private readonly int _batch = Math.Max(1, size / 4);
    private readonly Lock _gate = new(); // guards the fields marked below
    private ManualResetValueTaskSourceCore<bool> _room;
    private T? _current;
    private long _sent; // owned by the enumerator
    private long _back; // written by the thread that reads the answers
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

        Interlocked.MemoryBarrier(); // OnAnswer counts first, then checks the flag
        Resume();
        return new ValueTask<bool>(this, _room.Version);
    }

    /// <summary>Counts an answer. Not thread-safe.</summary>
    public void OnAnswer()
    {
        Interlocked.Increment(ref _back);
        if (Volatile.Read(ref _isWaiting)) Resume();
    }

    /// <summary>Ends the items, because no more answers arrive.</summary>
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

    /// <summary>Resumes the sender, if it waits and there is room for a batch.</summary>
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
