using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Threading.Tasks.Sources;
using Mux.Engine;
using Mux.Runtime;

namespace Mux.Calls;

/// <summary>
/// A unary call, from its start until its caller has taken the result: the object that the caller awaits. Reused, unless the caller never takes the result or
/// the callback of its token may still be running.
/// </summary>
internal sealed class UnaryCall<TRequest, TResponse> : OutgoingCall, IValueTaskSource<TResponse>, IValueTaskSource, IWork
{
    private static readonly CallFailure s_noThread = new(MuxStatus.DeadlineExceeded, MuxExecution.Executed, MuxCallPhase.Decode,
        "The reply arrived, but all threads that run the code after calls were blocked until the deadline had passed.");

    private UnaryCaller<TRequest, TResponse> _caller = null!; // null while idle: an idle object keeps no channel, and no contract that may be unloaded
    private ManualResetValueTaskSourceCore<bool> _core; // of no type that shared code would have to look up; the result is in _response
    private Placement? _placement; // of the code after the await; null while no caller awaits, or if it decides nothing
    private TResponse _response = default!; // on its way to a worker, or to the caller
    private Exception? _error;
    private PartialMessage? _large; // on its way to a worker, too
    private bool _isReplyHeld; // true if what is on its way came in a reply that observers do not know yet
    private CancellationTokenRegistration _registration;
    private CancellationToken _token;
    private bool _isRegistered;
    private long _measuredFrom; // or Unmeasured

    /// <summary>
    /// The call has no time of its start, but something to release at its outcome. One comparison tells most calls that there is nothing to do.
    /// </summary>
    private const long Unmeasured = -1;

    private UnaryCall() => Task = new ValueTask<TResponse>(this, _core.Version);

    public short Version => _core.Version;

    /// <summary>
    /// What the caller of the next call awaits. Made when the object was last released: it is copied in two loads, and these would wait for the stores of a
    /// value that was just made.
    /// </summary>
    public ValueTask<TResponse> Task { get; private set; }

    /// <summary>Creates a call. Apart from its use: shared code looks up the type here.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static UnaryCall<TRequest, TResponse> Create() => new();

    /// <summary>Makes it a call of this caller, to whose pool it returns.</summary>
    public void Begin(UnaryCaller<TRequest, TResponse> caller)
    {
        _caller = caller;
        if (Method != caller.Called.Descriptor) SetMethod(caller);
        _measuredFrom = caller.Route.Durations.Start();
        _core.RunContinuationsAsynchronously = caller.Dispatch == MuxDispatchMode.Pool;
    }

    /// <summary>Has the outcome release the request, if it is kept, and end the timer.</summary>
    public override void ReleaseAtOutcome()
    {
        if (_measuredFrom == 0) _measuredFrom = Unmeasured;
    }

    protected override OutgoingCall? OwnReceipt => _caller.Receipt;

    /// <summary>Lets the token cancel the call. Called after the call is started and before the caller can await it.</summary>
    public void CancelWith(CancellationToken token)
    {
        _token = token;
        _isRegistered = true;
        _registration = token.UnsafeRegister(static state => CallHolder.Cancel((OutgoingCall)state!), this);
    }

    public override void OnResponse(ReadOnlySpan<byte> body, CallTally tally)
    {
        TResponse response;
        try
        {
            response = _caller.Responses.Decode(body);
        }
        catch (Exception error)
        {
            var failure = UndecodableMessage.Reply(this, error);
            tally.Add(Method, failure.Status);
            OnFailed(failure, inTurn: true);
            return;
        }

        tally.Add(CallTally.RowOf(Called.Index), MuxStatus.Ok);
        var placement = Volatile.Read(ref _placement);
        if (IsForWorkers(placement, inTurn: true))
        {
            EndTimer(replied: true); // now: how long this process takes to run the code after it is not the server's time
            (_response, _isReplyHeld) = (response, true); // observers get the outcome that the caller will see, which is decided when a thread takes it
            _caller.Route.Completions.Add(this);
            return;
        }

        if (TellObservers(MuxStatus.Ok, inTurn: true)) CompleteHere(response, null, inTurn: true, placement);
        else Complete(response, null, inTurn: false);
    }

    public override void OnLargeResponse(PartialMessage message, CallTally tally)
    {
        if (message.Length <= PartialMessage.LongestInTurn && !IsForWorkers(Volatile.Read(ref _placement), inTurn: true))
        {
            base.OnLargeResponse(message, tally);
            return;
        }

        tally.Add(Method, MuxStatus.Ok); // now, while the turn counts
        EndTimer(replied: true);
        (_large, _isReplyHeld) = (message, true);
        _caller.Route.Completions.Add(this);
    }

    public override void OnFailed(CallFailure failure, bool inTurn)
    {
        EndTimer(replied: failure.Execution == MuxExecution.Executed);
        _caller.Route.OnAttemptFailed(this, failure);
        if (IsKept)
        {
            if (_caller.Route.TryRepeat(this, failure)) return; // it may be another call by now
            failure = OutgoingFailure.OverAttempts(_caller.Route, this, failure);
        }

        inTurn = TellObservers(failure.Status, inTurn);
        if (failure.IsCallerCancel)
        {
            Complete(default!, new OperationCanceledException(failure.Describe(Method, _caller.Route.EndpointOf(this)), _token), inTurn);
            return;
        }

        var known = OutgoingFailure.Describe(_caller.Route, _caller.Method, this, failure);
        if (_caller.Responses.HoldsFailures) Complete(_caller.Responses.FromFailure(known), null, inTurn);
        else Complete(default!, new MuxException(known), inTurn);
    }

    public override void OnAppended()
    {
        TellObservers(MuxStatus.Ok, inTurn: false);
        Complete(default!, null, inTurn: false); // it may have waited, and its caller must not run on the thread that made room
    }

    TResponse IValueTaskSource<TResponse>.GetResult(short token) => GetResult(token);

    void IValueTaskSource.GetResult(short token) => GetResult(token);

    public ValueTaskSourceStatus GetStatus(short token)
    {
        if (token != _core.Version) ThrowTaken();
        return _core.GetStatus(token);
    }

    public void OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags)
    {
        if (token != _core.Version) ThrowTaken();
        if (_caller.Dispatch == MuxDispatchMode.Adaptive) Volatile.Write(ref _placement, _caller.PlacementOf(state));
        _core.OnCompleted(continuation, state, token, flags);
    }

    string IWork.Name => Volatile.Read(ref _placement)?.Name ?? _caller.Awaited.Name;

    IWorkOwner IWork.Owner => _caller.Route;

    IWorkClock? IWork.Clock => Due == Clock.Never ? null : _caller.Route.Clock;

    bool IWork.IsAbandoned(long now) => Due != Clock.Never && Due <= now;

    /// <summary>On a worker: decodes a large reply, or runs the code after the await if it is too expensive for the turn.</summary>
    void IThreadPoolWorkItem.Execute()
    {
        if (_large is { } large)
        {
            (_large, _isReplyHeld) = (null, false);
            CompleteLarge(large);
            return;
        }

        if (_isReplyHeld) TellObservers(MuxStatus.Ok, inTurn: false);
        SetHeldOutcome();
    }

    /// <summary>
    /// Completes the call if no thread was free until its deadline: the caller's own code may block the threads, and only the deadline ends that. A reply that
    /// came in time counts as too late. Any other outcome is kept, and observers know it.
    /// </summary>
    void IWork.Abandon()
    {
        if (!_isReplyHeld)
        {
            SetHeldOutcome();
            return;
        }

        _caller.Route.Ledger.Recount(Method, MuxStatus.Ok, MuxStatus.DeadlineExceeded);
        if (_large is { } large)
        {
            _large = null;
            large.Return();
        }

        TellObservers(MuxStatus.DeadlineExceeded, inTurn: false);
        var failure = OutgoingFailure.Describe(_caller.Route, _caller.Method, this, s_noThread);
        if (_caller.Responses.HoldsFailures) _response = _caller.Responses.FromFailure(failure);
        else (_response, _error) = (default!, new MuxException(failure));
        SetHeldOutcome();
    }

    private void SetHeldOutcome()
    {
        var (response, error) = (_response, _error);
        (_response, _error, _isReplyHeld) = (default!, null, false); // the continuation may reuse this object
        SetOutcome(response, error);
    }

    private void CompleteLarge(PartialMessage message)
    {
        TResponse response;
        try
        {
            message.Lend();
            response = _caller.Responses.Decode(message.Body);
        }
        catch (Exception error)
        {
            var failure = UndecodableMessage.Reply(this, error);
            _caller.Route.Ledger.Recount(Method, MuxStatus.Ok, failure.Status);
            OnFailed(failure, inTurn: false);
            return;
        }
        finally
        {
            message.Return();
        }

        TellObservers(MuxStatus.Ok, inTurn: false);
        SetOutcome(response, null);
    }

    /// <summary>Throws: the result was taken, and the object may already serve another call.</summary>
    [DoesNotReturn]
    private static void ThrowTaken() =>
        throw new InvalidOperationException("This call was awaited before; a ValueTask can be awaited once. Keep AsTask() to await it again.");

    private TResponse GetResult(short token)
    {
        // A caller that is too early, or has taken the result before, must not release an object that is in use.
        if (GetStatus(token) == ValueTaskSourceStatus.Pending)
        {
            throw new InvalidOperationException("The call has not completed: await it. (AsTask().Result blocks until it has.)");
        }

        try
        {
            _core.GetResult(token);
            return _response;
        }
        finally
        {
            Recycle();
        }
    }

    private void Recycle()
    {
        // A callback that has begun may still read this object: then it is not reused.
        if (_isRegistered)
        {
            if (!_registration.Unregister() || CancelRequested) return;
            _isRegistered = false;
            _registration = default;
            _token = default;
        }

        _core.Reset();
        Task = new ValueTask<TResponse>(this, _core.Version);
        _response = default!;
        _placement = null;
        var calls = _caller.Calls;
        _caller = null!;
        Forget();
        calls?.Return(this);
    }

    private void SetMethod(UnaryCaller<TRequest, TResponse> caller)
    {
        SetMethod(caller.Called);
        Options = caller.Options;
    }

    /// <inheritdoc cref="CallObservers.Tell"/>
    private bool TellObservers(MuxStatus status, bool inTurn)
    {
        if (_measuredFrom == 0 && Extras?.Activity is null) return inTurn;
        EndTimer(replied: true);
        ReleaseKept();
        return CallObservers.Tell(_caller.Route, this, Math.Max(0, _measuredFrom), status, inTurn);
    }

    /// <summary>
    /// True if the code after the await runs on a worker: in a turn if it is too expensive or no thread is left to take over the turn, and elsewhere always.
    /// False if there is no such code yet, or if the .NET thread pool runs it.
    /// </summary>
    private static bool IsForWorkers(Placement? placement, bool inTurn)
    {
        if (inTurn) return placement is { IsInline: false } || MonitorSignals.IsShortOfLeaders;
        return placement is not null;
    }

    /// <summary>
    /// Runs the code after the await: here and now, on a worker, on the .NET pool, or in the synchronization context or task scheduler that it was awaited
    /// under.
    /// </summary>
    private void Complete(TResponse response, Exception? error, bool inTurn)
    {
        var placement = Volatile.Read(ref _placement);
        if (IsForWorkers(placement, inTurn))
        {
            (_response, _error) = (response, error);
            _caller.Route.Completions.Add(this);
            return;
        }

        CompleteHere(response, error, inTurn, placement);
    }

    private void CompleteHere(TResponse response, Exception? error, bool inTurn, Placement? placement)
    {
        if (!inTurn) _core.RunContinuationsAsynchronously = true; // the code after the await may be attached now, and must not run on this thread
        var turn = inTurn ? Turn.Current : null;
        turn?.EnterUser(placement);
        SetOutcome(response, error);
        turn?.TryLeaveUser();
    }

    /// <summary>
    /// Sets the outcome. This always runs user code: a continuation, or the synchronization context or scheduler that takes it. Its exceptions concern this
    /// call, not the connection and its other calls.
    /// </summary>
    private void SetOutcome(TResponse response, Exception? error)
    {
        var route = _caller.Route; // the continuation may reuse this object
        try
        {
            if (error is null)
            {
                _response = response;
                _core.SetResult(true);
            }
            else
            {
                _core.SetException(error);
            }
        }
        catch (Exception thrown)
        {
            // A context that accepts nothing anymore has lost the code after the await, which must run nowhere else: only the log learns of it.
            route.OnUserCodeFailed(thrown);
        }
    }
}
