namespace Mux.Callbacks;

/// <summary>Runs the callbacks of one object in order, as many concurrently as its interface allows. Safe for concurrent use.</summary>
/// <param name="target">The object.</param>
/// <param name="concurrent">Number of callbacks that run concurrently.</param>
internal sealed class CallbackLane(object target, int concurrent)
{
    private readonly Lock _gate = new();

    // Guarded by the lock.
    private readonly Queue<RunningCallback> _waiting = [];
    private TaskCompletionSource? _room; // the reader of messages waits for it
    private TaskCompletionSource? _end; // the call waits for it
    private int _workers;
    private int _answered; // of those that run: they have an answer, and may run until they are cancelled
    private bool _isOver;
    private bool _isEnded;

    /// <summary>Adds a callback, and starts a worker if another one may run.</summary>
    public void Add(RunningCallback callback)
    {
        lock (_gate)
        {
            if (_isEnded) return;
            _waiting.Enqueue(callback);
            if (_workers == concurrent) return;
            _workers++;
        }

        // A hop: a callback may block, and the thread that reads messages must read the cancellation that ends it.
        _ = Task.Run(WorkAsync);
    }

    /// <summary>True if too many callbacks wait behind one that does not end.</summary>
    public bool IsStuck
    {
        get
        {
            lock (_gate) return _answered > 0 && _waiting.Count > CallbackLimits.MaxBehind;
        }
    }

    /// <summary>
    /// Waits until less than <see cref="CallbackLimits.MaxWaiting"/> callbacks wait, or one runs that has an answer: the next message may be the one that
    /// cancels it.
    /// </summary>
    public Task WaitForRoomAsync()
    {
        lock (_gate)
        {
            if (_isOver || _isEnded || _answered > 0 || _waiting.Count < CallbackLimits.MaxWaiting) return Task.CompletedTask;
            _room ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            return _room.Task;
        }
    }

    /// <summary>Waits until no callback waits or runs.</summary>
    public Task WaitForEndAsync()
    {
        lock (_gate)
        {
            if (_workers == 0) return Task.CompletedTask;
            _end ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            return _end.Task;
        }
    }

    /// <summary>The stream is over: what waits there is in memory already, so reading it needs no room.</summary>
    public void OnOver()
    {
        lock (_gate)
        {
            _isOver = true;
            _room?.TrySetResult();
        }
    }

    /// <summary>Drops what waits.</summary>
    public void End()
    {
        lock (_gate)
        {
            _isEnded = true;
            _waiting.Clear();
            _room?.TrySetResult();
        }
    }

    private async Task WorkAsync()
    {
        RunningCallback? last = null;
        while (TakeNext(last) is { } callback)
        {
            last = callback;
            await callback.RunAsync(target).ConfigureAwait(false);
        }
    }

    private RunningCallback? TakeNext(RunningCallback? last)
    {
        lock (_gate)
        {
            if (last is { IsAnswered: true }) _answered--;
            if (_waiting.TryDequeue(out var next))
            {
                if (next.IsAnswered) _answered++;
                if (_room is not null && (_answered > 0 || _waiting.Count < CallbackLimits.MaxWaiting))
                {
                    _room.TrySetResult();
                    _room = null;
                }

                return next;
            }

            if (--_workers == 0) _end?.TrySetResult();
            return null;
        }
    }
}
