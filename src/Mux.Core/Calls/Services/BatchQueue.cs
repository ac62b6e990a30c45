using Mux.Contracts;
using Mux.Runtime;
using Mux.Telemetry;

namespace Mux.Calls;

/// <summary>
/// Hands the calls of a method to its handler in batches: those that came while a batch ran are the next one. One batch runs at a time, on a thread where it
/// may block. Bounded by the calls that may be open. Safe for concurrent use.
/// </summary>
/// <param name="method">The method.</param>
/// <param name="batch">How its handler is called.</param>
/// <param name="environment">State that handlers share.</param>
/// <param name="answersRunNoUserCode">True if nothing but the engine runs when a call is answered: then the answers of a batch are sent together.</param>
internal sealed class BatchQueue<TRequest, TResponse>(
    UnaryMethod<TRequest, TResponse> method, BatchMethod<TRequest, TResponse> batch, HandlerEnvironment environment, bool answersRunNoUserCode)
    : IWork, IWorkOwner
{
    /// <summary>Batches that run one after the other on a thread before other work has its turn.</summary>
    private const int MostInRow = 16;

    private readonly Lock _gate = new();
    private readonly Queue<(object Service, PendingCall<TRequest, TResponse> Call)> _waiting = new(); // guarded by the lock
    private readonly List<PendingCall<TRequest, TResponse>> _ended = []; // owned by the thread that runs batches
    private readonly List<PendingCall<TRequest, TResponse>> _failed = []; // likewise
    private readonly bool _isPooled = method.Descriptor.Choices.DispatchOr(environment.Dispatch) == MuxDispatchMode.Pool;
    private bool _isRunning; // guarded by the lock

    string IWork.Name => method.Descriptor.FullName;

    IWorkOwner IWork.Owner => this;

    IWorkClock? IWork.Clock => null;

    bool IWork.IsAbandoned(long now) => false;

    void IThreadPoolWorkItem.Execute() => _ = RunAsync();

    /// <inheritdoc/>
    public void OnStalled(WorkStall stall) => ExecutionLog.Stalled(environment.Logger, stall);

    /// <summary>Adds a call to the next batch.</summary>
    /// <returns>Its outcome.</returns>
    public ValueTask<TResponse> InvokeAsync(object service, TRequest request, MuxCallOptions? options, CancellationToken cancellationToken)
    {
        if (!batch.IsServedBy(service)) return method.Invoke(service, request, options, cancellationToken);
        var call = new PendingCall<TRequest, TResponse>(request, options, cancellationToken);
        bool starts;
        lock (_gate)
        {
            _waiting.Enqueue((service, call));
            starts = !_isRunning;
            _isRunning = true;
        }

        if (starts) Start();
        return call.Task;
    }

    /// <summary>Has the next batch run: not here, where the calls that come with this one are still to be read.</summary>
    private void Start()
    {
        if (_isPooled) EnginePool.Queue(this);
        else ProcessWorkers.Handlers.Add(this); // never refused: it is one for the method
    }

    private async Task RunAsync()
    {
        for (int left = MostInRow; left > 0 && Take() is { } next; left--)
        {
            Exception? error = null;
            bool hasEnded = true;
            if (next.Calls.Count > 0)
            {
                try
                {
                    var running = batch.Invoke(next.Service, new(next.Calls));
                    hasEnded = running.IsCompleted;
                    await running.ConfigureAwait(false);
                }
                catch (Exception thrown)
                {
                    error = thrown;
                }
            }

            Answer(next.Calls, error);
            if (!hasEnded) break; // this is the thread of something else
        }

        bool starts;
        lock (_gate) starts = _isRunning = _waiting.Count > 0;
        if (starts) Start();
    }

    private (object Service, List<PendingCall<TRequest, TResponse>> Calls)? Take()
    {
        List<PendingCall<TRequest, TResponse>> calls;
        object? service = null;
        lock (_gate)
        {
            if (_waiting.Count == 0) return null;
            calls = new(Math.Min(_waiting.Count, batch.MaxCalls));
            while (calls.Count < batch.MaxCalls && _waiting.TryDequeue(out var waiting))
            {
                if (waiting.Call.CancellationToken.IsCancellationRequested)
                {
                    _ended.Add(waiting.Call);
                }
                else
                {
                    service ??= waiting.Service; // never that of an ended call, which may be disposed before the batch runs
                    calls.Add(waiting.Call);
                }
            }
        }

        foreach (var call in _ended) call.Complete(new OperationCanceledException(call.CancellationToken));
        _ended.Clear();
        return (service!, calls);
    }

    /// <summary>Answers calls: results first, which leave together, then failures, which are logged.</summary>
    private void Answer(List<PendingCall<TRequest, TResponse>> calls, Exception? error)
    {
        if (error is null && answersRunNoUserCode && environment.Durations.Start() == 0)
        {
            SendBatch.Begin();
            try
            {
                foreach (var call in calls)
                {
                    if (call.HasResult) call.Complete(null);
                    else _failed.Add(call);
                }
            }
            finally
            {
                SendBatch.End();
            }

            foreach (var call in _failed) call.Complete(Outcome(call));
            _failed.Clear();
            return;
        }

        foreach (var call in calls) call.Complete(error ?? Outcome(call));
    }

    /// <summary>Gets the exception of a call that its batch has left without an answer; null for any other.</summary>
    private static UnansweredCall? Outcome(PendingCall<TRequest, TResponse> call) => call.HasResult || call.IsAnswered ? null : new UnansweredCall();
}

/// <summary>The handler of a batch ended and said nothing of one of its calls. Its text is for the log and the caller.</summary>
internal sealed class UnansweredCall() : InvalidOperationException("The handler of the batch ended without an answer for this call.");
