using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;
using Mux.Serialization;

namespace Mux.Calls;

/// <summary>
/// A call that is sent a second time if its reply takes longer than most. The first reply ends it, and the other copy is cancelled. A failure ends it if no
/// other copy is open. Not reused.
/// </summary>
/// <remarks>Lock order: none of a connection or of the route is taken inside its own lock.</remarks>
internal sealed class HedgedCall<TRequest, TResponse>
{
    private readonly HedgedCaller<TRequest, TResponse> _caller;
    private readonly TaskCompletionSource<TResponse> _outcome = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly long _measuredFrom;
    private readonly long _startedAt;
    private readonly Lock _gate = new(); // guards the second copy, and which of them is open
    private HedgedAttempt<TRequest, TResponse>? _second;
    private bool _mayHedge;
    private int _isDecided;
    private ITimer? _timer;
    private CancellationToken _token;
    private CancellationTokenRegistration _registration;

    public HedgedCall(HedgedCaller<TRequest, TResponse> caller)
    {
        _caller = caller;
        First = caller.CreateAttempt(this);
        _measuredFrom = caller.Route.Durations.Start();
        _startedAt = caller.Route.Clock.Now;
    }

    public HedgedAttempt<TRequest, TResponse> First { get; }

    /// <summary>What the caller awaits.</summary>
    public Task<TResponse> Outcome => _outcome.Task;

    /// <summary>True if one of the copies has ended the call.</summary>
    public bool IsDecided => Volatile.Read(ref _isDecided) != 0;

    private CallRoute Route => _caller.Route;

    /// <summary>Sends the first copy, and the second one later, if the call may run twice and it is known how long such calls take.</summary>
    public void Start(KeepFor keeps, MessageBuffer buffer, ReadOnlySpan<byte> body, CancellationToken token)
    {
        _token = token;
        _mayHedge = (keeps & KeepFor.Repeats) != 0 && First.IsIdempotent && _caller.Times.TryGetDelay(out _);
        if (keeps == KeepFor.Nothing) Route.StartEncoded(First, buffer, body);
        else Route.StartKept(First, keeps, buffer, body);
        if (token.CanBeCanceled) _registration = token.UnsafeRegister(static state => ((HedgedCall<TRequest, TResponse>)state!).Cancel(), this);
        if (_mayHedge && _caller.Times.TryGetDelay(out long delay)) StartTimer(delay);
        Interlocked.MemoryBarrier(); // against Decide: it sees the timer and the registration, or this thread sees that the call is over
        if (IsDecided) Release();
    }

    /// <summary>Starts a timer of the clock itself: the ticker's 10 ms are longer than most calls take.</summary>
    private void StartTimer(long delay)
    {
        // A timer counts whole milliseconds: rounded down, a call of 100 microseconds would be copied at once.
        var wait = TimeSpan.FromMilliseconds((delay + Clock.MicrosecondsPerMillisecond - 1) / Clock.MicrosecondsPerMillisecond);
        bool flows = !ExecutionContext.IsFlowSuppressed();
        if (flows) ExecutionContext.SuppressFlow();
        _timer = Route.Clock.Provider.CreateTimer(static state => ((HedgedCall<TRequest, TResponse>)state!).Hedge(), this, wait, Timeout.InfiniteTimeSpan);
        if (flows) ExecutionContext.RestoreFlow();
    }

    /// <summary>Handles the reply to a copy. In the turn.</summary>
    public void OnResponse(HedgedAttempt<TRequest, TResponse> attempt, ReadOnlySpan<byte> body, CallTally tally)
    {
        if (!TryDecide())
        {
            Release(attempt); // not counted: the other copy is the call
            return;
        }

        TResponse response;
        try
        {
            response = _caller.Responses.Decode(body);
        }
        catch (Exception error)
        {
            var failure = UndecodableMessage.Reply(attempt, error);
            tally.Add(attempt.Method, failure.Status);
            Complete(attempt, failure, inTurn: true);
            return;
        }

        tally.Add(attempt.Method, MuxStatus.Ok);
        _caller.Times.Add(Route.Clock.Now - _startedAt);
        CallObservers.Tell(Route, attempt, _measuredFrom, MuxStatus.Ok, inTurn: true);
        End(attempt);
        _outcome.TrySetResult(response);
    }

    /// <summary>Handles the failure of a copy, which was counted as that of the call.</summary>
    public void OnFailed(HedgedAttempt<TRequest, TResponse> attempt, CallFailure failure, bool inTurn)
    {
        var endpoint = Route.EndpointOf(attempt);
        Route.OnAttemptFailed(attempt, failure);
        var last = failure;
        if (!IsDecided && !TryLeaveToOther(attempt, failure, endpoint))
        {
            if (attempt.IsKept)
            {
                if (Route.TryRepeat(attempt, failure)) return;
                last = OutgoingFailure.OverAttempts(Route, attempt, failure);
            }

            if (TryDecide())
            {
                Complete(attempt, last, inTurn);
                return;
            }
        }

        Route.Ledger.Uncount(attempt.Method, failure.Status);
        Release(attempt);
    }

    /// <summary>Notes the failure of one copy while the other one is open, which is then the call.</summary>
    private bool TryLeaveToOther(HedgedAttempt<TRequest, TResponse> attempt, CallFailure failure, string endpoint)
    {
        lock (_gate)
        {
            _mayHedge = false; // what fails is repeated by its policy, or not at all
            var other = attempt == First ? _second : First;
            if (other is not { IsOpen: true }) return false;
            attempt.IsOpen = false;
            other.Kept!.Add(new MuxAttempt(endpoint, failure.Status, failure.Execution, failure.Phase)); // it reads them after it has had the lock
            return true;
        }
    }

    /// <summary>On a thread of the .NET pool: sends the second copy.</summary>
    private void Hedge()
    {
        var second = _caller.CreateAttempt(this);
        var endpoint = Route.EndpointOf(First);
        lock (_gate)
        {
            if (!_mayHedge || IsDecided || !First.IsKept || First.CancelRequested) return;
        }

        if (!Route.TryHedge(First.Method)) return; // nothing is cancelled: the first copy is as good as before
        lock (_gate)
        {
            if (!_mayHedge || IsDecided || !First.IsKept) return;
            second.Kept = First.Kept!.Copy(Route.KeptBytes);
            if (!second.IsKept) return;
            second.Kept.Avoided = endpoint;
            (second.Due, second.Extras, second.Key) = (First.Due, First.Extras, First.Key);
            second.BeginAgain(Route.Clock.Now, wasSent: true);
            _second = second;
        }

        Route.StartAgainKept(second);
        if (IsDecided || _token.IsCancellationRequested) CallHolder.Cancel(second);
    }

    private void Cancel()
    {
        HedgedAttempt<TRequest, TResponse>? second;
        lock (_gate)
        {
            _mayHedge = false;
            second = _second;
        }

        CallHolder.Cancel(First);
        if (second is not null) CallHolder.Cancel(second);
    }

    private bool TryDecide() => Interlocked.CompareExchange(ref _isDecided, 1, 0) == 0;

    private void Complete(HedgedAttempt<TRequest, TResponse> attempt, CallFailure failure, bool inTurn)
    {
        CallObservers.Tell(Route, attempt, _measuredFrom, failure.Status, inTurn);
        MuxFailure? known = failure.IsCallerCancel ? null : OutgoingFailure.Describe(Route, _caller.Method, attempt, failure);
        End(attempt);
        if (known is null) _outcome.TrySetCanceled(_token);
        else if (_caller.Responses.HoldsFailures) _outcome.TrySetResult(_caller.Responses.FromFailure(known));
        else _outcome.TrySetException(new MuxException(known));
        _ = _outcome.Task.Exception; // observed: the caller gets it by awaiting
    }

    /// <summary>
    /// Ends what belongs to the call: the timer, the token and the other copy. That one's request is released by its own outcome, which its cancel brings:
    /// another thread may be sending it.
    /// </summary>
    private void End(HedgedAttempt<TRequest, TResponse> winner)
    {
        Interlocked.MemoryBarrier(); // see Start
        Release();
        Release(winner);
        winner.HandOverMetadata();
        HedgedAttempt<TRequest, TResponse>? other;
        lock (_gate) other = winner == First ? _second : First;
        if (other is { IsOpen: true }) CallHolder.Cancel(other);
    }

    private void Release()
    {
        _timer?.Dispose();
        _registration.Unregister();
    }

    /// <summary>Releases the request of a copy that has its outcome. Under the lock, because the second copy may be made from it at the same time.</summary>
    private void Release(HedgedAttempt<TRequest, TResponse> attempt)
    {
        lock (_gate) attempt.ReleaseRequest();
    }
}

/// <summary>One of the two copies of a hedged call. Not reused: a frame of the peer may find it a moment after the other one has won.</summary>
internal sealed class HedgedAttempt<TRequest, TResponse> : OutgoingCall
{
    private readonly HedgedCall<TRequest, TResponse> _call;
    private MuxMetadata? _metadata; // of its reply or failure; the caller gets that of the copy that decides

    public HedgedAttempt(HedgedCall<TRequest, TResponse> call, in CalledMethod method)
    {
        _call = call;
        SetMethod(method);
    }

    /// <summary>True if it may still end the call. Guarded by the call's lock.</summary>
    public bool IsOpen { get; set; } = true;

    public override CancelReason CancelReason => _call.IsDecided ? CancelReason.Superseded : CancelReason.Unspecified;

    public override void OnResponse(ReadOnlySpan<byte> body, CallTally tally)
    {
        EndTimer(replied: true);
        _call.OnResponse(this, body, tally);
    }

    public override void OnFailed(CallFailure failure, bool inTurn)
    {
        EndTimer(replied: failure.Execution == MuxExecution.Executed);
        _call.OnFailed(this, failure, inTurn);
    }

    public override void OnAppended()
    {
        // Only one-way calls and streams want it, and none of them is hedged.
    }

    /// <summary>Releases the kept request. Under the call's lock.</summary>
    public void ReleaseRequest() => ReleaseKept();

    /// <summary>Gives the caller the metadata that came for it.</summary>
    public void HandOverMetadata()
    {
        if (_metadata is { } metadata && Extras?.ResponseMetadata is { } sink) base.Deliver(metadata, sink);
    }

    protected override void Deliver(MuxMetadata metadata, MuxMetadata sink) => _metadata = metadata;
}

/// <summary>
/// Makes calls of one unary method whose policy hedges them. Apart from <see cref="UnaryCaller{TRequest, TResponse}"/>, whose calls pay nothing for this: a
/// hedged call allocates its own objects, and has a timer. Safe for concurrent use.
/// </summary>
internal sealed class HedgedCaller<TRequest, TResponse>(
    UnaryMethod<TRequest, TResponse> method, CallRoute route, object? owner = null)
    : MethodCaller<TRequest, TResponse>
{
    private readonly CalledMethod _called = new(method.Descriptor);
    private readonly RequestKey<TRequest>? _keyOf = route.UsesKeys ? method.KeyOf : null;
    private readonly long _deadline = OutgoingOptions.DeadlineOf(method.Descriptor, route);
    private readonly RequestOptions _options = OutgoingOptions.OfMethod(method.Descriptor);

    public ContractMethod Method => method;

    public ref readonly CalledMethod Called => ref _called;

    public MessageCodec<TResponse> Responses => method.Responses;

    public CallRoute Route => route;

    /// <summary>Kept for as long as calls can be made: see <see cref="RouteInvoker"/>.</summary>
    public object? Owner { get; } = owner;

    public MethodTimes Times { get; } = route.TimesOf(method.Descriptor);

    public override ValueTask<TResponse> CallAsync(TRequest request, CancellationToken cancellationToken) => CallAsync(request, null, cancellationToken);

    public override ValueTask<TResponse> CallAsync(TRequest request, MuxCallOptions? options, CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested) return ValueTask.FromCanceled<TResponse>(cancellationToken);
        var call = Start(request, options, cancellationToken, out var failure);
        if (call is not null) return new ValueTask<TResponse>(call.Outcome);
        return Responses.HoldsFailures
            ? new ValueTask<TResponse>(Responses.FromFailure(failure!))
            : ValueTask.FromException<TResponse>(new MuxException(failure!));
    }

    public override ValueTask CallWithoutResultAsync(TRequest request, CancellationToken cancellationToken) =>
        CallWithoutResultAsync(request, null, cancellationToken);

    public override ValueTask CallWithoutResultAsync(TRequest request, MuxCallOptions? options, CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested) return ValueTask.FromCanceled(cancellationToken);
        var call = Start(request, options, cancellationToken, out var failure);
        return call is null ? ValueTask.FromException(new MuxException(failure!)) : new ValueTask(call.Outcome);
    }

    /// <summary>Creates a copy of a call, to be sent to a server.</summary>
    public HedgedAttempt<TRequest, TResponse> CreateAttempt(HedgedCall<TRequest, TResponse> call) => new(call, Called) { Options = _options };

    private HedgedCall<TRequest, TResponse>? Start(TRequest request, MuxCallOptions? options, CancellationToken cancellationToken, out MuxFailure? failure)
    {
        failure = null;
        options = OutgoingOptions.InForce(options);
        var buffer = MessageBuffer.Rent();
        try
        {
            var writer = buffer.CreateWriter();
            ulong key = 0;
            try
            {
                method.Requests.Encode(ref writer, request);
                if (_keyOf is not null && options?.Key is null) key = _keyOf(in request);
            }
            catch (Exception thrown)
            {
                failure = OutgoingFailure.CountUnencodable(route, method, thrown);
                return null;
            }

            var call = new HedgedCall<TRequest, TResponse>(this);
            call.First.Key = key;
            OutgoingOptions.Apply(call.First, route, _deadline, options);
            var keeps = OutgoingOptions.KeepLarge(OutgoingOptions.Keep(KeepFor.Repeats, options), route, writer.Written.Length, options);
            call.Start(keeps, buffer, writer.Written, cancellationToken);
            return call;
        }
        finally
        {
            buffer.Return();
        }
    }
}
