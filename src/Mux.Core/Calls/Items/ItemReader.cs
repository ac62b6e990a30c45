using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Threading.Channels;
using System.Threading.Tasks.Sources;
using Mux.Contracts;
using Mux.Engine;
using Mux.Runtime;

namespace Mux.Calls;

/// <summary>
/// The receiving half of one call's stream. Items are decoded in the turn and read by one consumer, as an enumerator or as a channel. Bounded by the stream's
/// credit, which is returned as items are taken.
/// </summary>
/// <remarks>
/// Items pass through three arrays: one that the turn fills, one shared under a lock, and one that the consumer empties. So most items need no lock. A waiting
/// consumer runs in the turn if its code is cheap, like the code after a call.
/// </remarks>
internal sealed class ItemReader<T> : ChannelReader<T>, IStreamReader<T>, IValueTaskSource<bool>, IWork
{
    private const int FirstCapacity = 16;

    private readonly MessageCodec<T> _codec;
    private readonly AwaitedCode _awaited;
    private readonly IItemConsumer _owner;
    private readonly MuxDispatchMode _dispatch;
    private readonly Lock _gate = new();
    private readonly TaskCompletionSource _completion = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private WaitSource _wait;
    private Placement? _placement; // of the waiting code
    private InboundWindow? _window;

    // Owned by the turn.
    private Entry[] _arrived = [];
    private int _arrivedCount;
    private bool _isBroken;

    // Guarded by the lock.
    private Entry[] _ready = [];
    private int _readyCount;
    private bool _isWaiting;
    private bool _isEnded;
    private Exception? _error;

    // Owned by the consumer.
    private Entry[] _taken = [];
    private int _index;
    private int _count;
    private T _current = default!;
    private bool _takesNext; // the wait belongs to MoveNextAsync
    private volatile bool _isReading; // from the begin of a wait until its consumer has what it takes
    private volatile bool _isDisposed;
    private volatile bool _isCut; // items taken over and not read are dropped, too
    private CancellationToken _readToken; // ends every wait of the enumeration
    private CancellationTokenRegistration _readRegistration;
    private CancellationTokenRegistration _waitRegistration; // for the token of this wait
    private CancellationToken _endedBy; // the token that ended this wait; guarded by the lock until the consumer continues
    private HeldItems<T>? _waiting; // the wait keeps it from its finalizer: waiting code need not hold what it waits for

    public ItemReader(ItemsOf<T> items, IItemConsumer owner, MuxDispatchMode dispatch)
    {
        _codec = items.Codec;
        _awaited = items.Awaited;
        _owner = owner;
        _dispatch = dispatch;
        _wait.RunsOnPool = dispatch == MuxDispatchMode.Pool;
    }

    /// <inheritdoc/>
    public T Current => _current;

    /// <inheritdoc/>
    public override Task Completion => _completion.Task;

    /// <inheritdoc/>
    public override bool CanCount => false;

    public IAsyncEnumerator<T> Hold() => new HeldItems<T>(this);

    public void Begin(InboundWindow window) => _window = window;

    public bool OnItem(ReadOnlySpan<byte> body, int cost)
    {
        if (_isBroken || _isDisposed) return false;
        T item;
        try
        {
            item = _codec.Decode(body);
        }
        catch (Exception error)
        {
            _isBroken = true;
            _window!.Forget();
            _owner.OnUndecodable(error);
            return false;
        }

        if (_arrivedCount == _arrived.Length) Array.Resize(ref _arrived, Math.Max(FirstCapacity, _arrivedCount * 2));
        _arrived[_arrivedCount++] = new Entry(item, cost);
        return _arrivedCount == 1;
    }

    public void Publish(Turn? turn)
    {
        bool wakes;
        int items;
        lock (_gate)
        {
            MoveArrivedLocked();
            items = _readyCount;
            wakes = TakeWaiterLocked();
        }

        if (wakes) Wake(turn, items);
    }

    public void Settle()
    {
        lock (_gate) MoveArrivedLocked();
    }

    public void End(Exception? error, Turn? turn, bool isTurns, bool drops)
    {
        bool wakes;
        lock (_gate)
        {
            if (_isEnded) return;
            if (isTurns) MoveArrivedLocked();
            if (drops) ForgetReadyLocked();
            _isEnded = true;
            _error = error;
            _isCut = drops;
            wakes = TakeWaiterLocked();
        }

        if (drops) _window?.Forget();
        if (error is null) _completion.TrySetResult();
        else _completion.TrySetException(error);
        _ = _completion.Task.Exception; // observed: the reader of the stream gets it there
        if (wakes) Wake(turn, 1);
    }

    /// <inheritdoc/>
    public IAsyncEnumerator<T> GetAsyncEnumerator(CancellationToken cancellationToken = default)
    {
        if (_owner.OnEnumerated(cancellationToken)) return this;
        _readToken = cancellationToken;
        _readRegistration = EndWaitWith(cancellationToken);
        return this;
    }

    /// <summary>Keeps the caller's object alive during the wait that has just begun.</summary>
    public void WaitFor(HeldItems<T> held) => _waiting = held;

    /// <inheritdoc/>
    public ValueTask<bool> MoveNextAsync()
    {
        if (_index < _count && !_isCut)
        {
            Take(out _current);
            return new ValueTask<bool>(true);
        }

        return WaitAsync(takesNext: true);
    }

    /// <inheritdoc/>
    public override bool TryRead([MaybeNullWhen(false)] out T item)
    {
        item = default;
        if (_isCut || (_index == _count && !TryRefill())) return false;
        Take(out item);
        return true;
    }

    /// <inheritdoc/>
    public override ValueTask<bool> WaitToReadAsync(CancellationToken cancellationToken = default)
    {
        if (cancellationToken.IsCancellationRequested) return ValueTask.FromCanceled<bool>(cancellationToken);
        if (_index < _count && !_isCut) return new ValueTask<bool>(true);
        var reading = WaitAsync(takesNext: false);
        if (!reading.IsCompleted) _waitRegistration = EndWaitWith(cancellationToken); // the consumer continues only when it has the task, which is later
        return reading;
    }

    /// <inheritdoc/>
    public void Drop()
    {
        _isDisposed = true;
        _window?.Forget();
        _owner.OnDisposed(); // unread items are dropped with the end of the call, or with this object
    }

    /// <inheritdoc/>
    public ValueTask DisposeAsync()
    {
        _isDisposed = true;
        _readRegistration.Unregister();
        bool wakes;
        lock (_gate)
        {
            // A consumer that reads is another thread, which takes from these.
            if (!_isReading)
            {
                Array.Clear(_taken, _index, _count - _index);
                _index = _count = 0;
            }

            ForgetReadyLocked();
            _isEnded = true;
            wakes = TakeWaiterLocked();
        }

        _window?.Forget();
        _owner.OnDisposed();
        _completion.TrySetResult(); // the end of the call finds the stream ended
        if (wakes) Wake(turn: null, items: 1);
        return default;
    }

    bool IValueTaskSource<bool>.GetResult(short token)
    {
        var held = _waiting;
        _wait.GetResult(token);
        _waiting = null;
        _waitRegistration.Dispose(); // also awaits its callback, which would end a later wait
        _waitRegistration = default;
        if (_endedBy.CanBeCanceled) ThrowCancelled();
        bool hasItems = TryRefill();
        if (hasItems && _takesNext) Take(out _current);
        _isReading = false;
        if (!hasItems) ThrowIfFailed();
        GC.KeepAlive(held); // the caller may not use it anymore
        return hasItems;
    }

    string IWork.Name => Volatile.Read(ref _placement)?.Name ?? _awaited.Name;

    IWorkOwner IWork.Owner => _owner.WorkOwner;

    IWorkClock? IWork.Clock => null;

    bool IWork.IsAbandoned(long now) => _isCut;

    ValueTaskSourceStatus IValueTaskSource<bool>.GetStatus(short token) => _wait.GetStatus(token);

    void IValueTaskSource<bool>.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags)
    {
        if (_dispatch == MuxDispatchMode.Adaptive) Volatile.Write(ref _placement, _awaited.Find(state));
        if (!_wait.TryAttach(continuation, state, token, flags)) Wake(turn: null, items: 1); // not on this thread, which is about to leave the consumer's code
    }

    /// <summary>Runs the consumer outside the turn.</summary>
    void IThreadPoolWorkItem.Execute() => Run();

    private ValueTask<bool> WaitAsync(bool takesNext)
    {
        bool hasReady = false;
        lock (_gate)
        {
            if (_readyCount > 0)
            {
                SwapLocked();
                hasReady = true;
            }
            else if (!_isEnded)
            {
                if (_readToken.IsCancellationRequested) return ValueTask.FromCanceled<bool>(_readToken);
                if (_isWaiting) throw new InvalidOperationException("The stream is already being read: it can have only one reader at a time.");
                _wait.Begin();
                _takesNext = takesNext;
                _isWaiting = _isReading = true;
                return new ValueTask<bool>(this, _wait.Version);
            }
        }

        if (!hasReady) return _error is null || _isDisposed ? new ValueTask<bool>(false) : ValueTask.FromException<bool>(_error);
        if (takesNext) Take(out _current);
        return new ValueTask<bool>(true);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Take(out T item)
    {
        ref var entry = ref _taken[_index++];
        item = entry.Item;
        int cost = entry.Cost;
        if (RuntimeHelpers.IsReferenceOrContainsReferences<T>()) entry = default;
        _window!.OnTaken(cost);
    }

    private bool TryRefill()
    {
        lock (_gate)
        {
            if (_readyCount == 0) return false;
            SwapLocked();
            return true;
        }
    }

    private void SwapLocked()
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        (_taken, _ready) = (_ready, _taken);
        (_index, _count, _readyCount) = (0, _readyCount, 0);
    }

    private void MoveArrivedLocked()
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        if (_isEnded)
        {
            Array.Clear(_arrived, 0, _arrivedCount);
        }
        else if (_readyCount == 0)
        {
            (_ready, _arrived) = (_arrived, _ready);
            _readyCount = _arrivedCount;
        }
        else
        {
            if (_ready.Length < _readyCount + _arrivedCount) Array.Resize(ref _ready, Math.Max(_ready.Length * 2, _readyCount + _arrivedCount));
            Array.Copy(_arrived, 0, _ready, _readyCount, _arrivedCount);
            Array.Clear(_arrived, 0, _arrivedCount);
            _readyCount += _arrivedCount;
        }

        _arrivedCount = 0;
    }

    private void ForgetReadyLocked()
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        Array.Clear(_ready, 0, _readyCount);
        _readyCount = 0;
    }

    private CancellationTokenRegistration EndWaitWith(CancellationToken cancellationToken) =>
        cancellationToken.UnsafeRegister(static (state, token) => ((ItemReader<T>)state!).EndWait(token), this);

    /// <summary>Ends the consumer's wait. The consumer continues elsewhere: this thread may be any that cancels something.</summary>
    private void EndWait(CancellationToken cancellationToken)
    {
        lock (_gate)
        {
            if (!_isWaiting) return;
            _isWaiting = false;
            _endedBy = cancellationToken;
        }

        WorkQueue.OfProcess.AddUserCode(this);
    }

    private void ThrowCancelled()
    {
        var token = _endedBy;
        _endedBy = default;
        _isReading = false;
        throw new OperationCanceledException(token);
    }

    private bool TakeWaiterLocked()
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        if (!_isWaiting || (_readyCount == 0 && !_isEnded)) return false;
        _isWaiting = false;
        return true;
    }

    private void Wake(Turn? turn, int items)
    {
        var placement = Volatile.Read(ref _placement);
        if (turn is null || placement is { IsInline: false } || MonitorSignals.IsShortOfLeaders)
        {
            if (_dispatch != MuxDispatchMode.Pool) ProcessWorkers.Completions.Add(this);
            else EnginePool.Queue(this);
            return;
        }

        turn.EnterUser(placement, Math.Max(1, items));
        Run();
        turn.TryLeaveUser();
    }

    private void Run()
    {
        try
        {
            _wait.End(true);
        }
        catch (Exception thrown)
        {
            _owner.OnUserCodeFailed(thrown);
        }
    }

    /// <summary>After a wait that brought no items.</summary>
    private void ThrowIfFailed()
    {
        if (_isDisposed) throw DroppedStream.WhileRead();
        if (_error is { } error) System.Runtime.ExceptionServices.ExceptionDispatchInfo.Throw(error);
    }

    private readonly record struct Entry(T Item, int Cost);
}

/// <summary>The receiving half of one call's stream, for any type of items.</summary>
internal interface IStreamReader<T> : IInboundItems, IAsyncEnumerable<T>, IAsyncEnumerator<T>
{
    /// <summary>
    /// Gets the object that the caller holds instead of this reader. The runtime holds the reader while the call is open. If the caller drops the other object
    /// without disposing it, its finalizer ends the call.
    /// </summary>
    IAsyncEnumerator<T> Hold();

    /// <summary>
    /// Ends the call: its caller has dropped what <see cref="Hold"/> returned. Items and bytes that were handed out stay untouched, because the caller may
    /// still use them. Any thread.
    /// </summary>
    void Drop();

    /// <summary>Publishes what arrived last, which only the turn owns so far: the turn may be lost soon, and <see cref="End"/> must not overtake it.</summary>
    void Settle();

    /// <summary>Ends the stream.</summary>
    /// <param name="error">The exception that the consumer gets; null at the regular end.</param>
    /// <param name="turn">The turn in which the consumer may run; null if it must run elsewhere.</param>
    /// <param name="isTurns">True if the caller owns the turn, and with it what arrived last.</param>
    /// <param name="drops">True if unread items are dropped.</param>
    void End(Exception? error, Turn? turn, bool isTurns, bool drops);

    void IInboundItems.OnEnd(CallFailure? failure, Turn? turn) =>
        End(failure is null ? null : new MuxException(failure.Status, failure.Execution, failure.Phase, endpoint: null, failure.Text, failure.Error), turn,
            isTurns: true, drops: false);

    void IInboundItems.Abort() => End(new OperationCanceledException("The call is over."), turn: null, isTurns: false, drops: true);
}

/// <summary>The owner of a stream that an <see cref="ItemReader{T}"/> reads. Only <see cref="OnEnumerated"/> may throw.</summary>
internal interface IItemConsumer
{
    /// <summary>The channel or server that is notified when the consumer waits for a thread.</summary>
    IWorkOwner WorkOwner { get; }

    /// <summary>The consumer has begun to enumerate.</summary>
    /// <returns>True if the token cancels the call, and with it the stream. Otherwise it only ends the consumer's waits.</returns>
    bool OnEnumerated(CancellationToken cancellationToken);

    /// <summary>The consumer wants no more items.</summary>
    void OnDisposed();

    /// <summary>An item could not be decoded; later ones are not read. In the turn.</summary>
    void OnUndecodable(Exception error);

    /// <summary>The consumer's code threw where no caller catches it.</summary>
    void OnUserCodeFailed(Exception error);
}

/// <summary>The items of one direction of a method's streams, as their receiver knows them.</summary>
/// <param name="method">The method.</param>
/// <param name="codec">Reads the items.</param>
internal sealed class ItemsOf<T>(MethodDescriptor method, MessageCodec<T> codec)
{
    public MethodDescriptor Method => method;

    public MessageCodec<T> Codec => codec;

    public AwaitedCode Awaited { get; } = AwaitedCode.OfStreams(method, method.FullName);
}
