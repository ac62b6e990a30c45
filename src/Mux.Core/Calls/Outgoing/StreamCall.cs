using Mux.Contracts;
using Mux.Engine;
using Mux.Runtime;
using Mux.Telemetry;

namespace Mux.Calls;

/// <summary>A call that streams, from its start to its end. Pumps the request stream, if there is one, and ends it when the call is over.</summary>
[System.Diagnostics.CodeAnalysis.SuppressMessage("Design", "CA1001", Justification = "A source without a timer or wait handle holds nothing to dispose, and " +
    "the producer may still hold its token.")]
internal abstract class StreamCall<TRequest, TItem, TResponse> : OutgoingStreamCall, IThreadPoolWorkItem
{
    private readonly StreamStarter<TRequest, TItem, TResponse> _starter;
    private readonly IAsyncEnumerable<TItem>? _items;
    private readonly CancellationTokenSource? _over; // ends the producer's wait
    private readonly ExecutionContext? _context; // the caller's context, in which the producer runs; null without a producer, or if the flow is suppressed
    private readonly long _measuredFrom;
    private (CancellationToken Token, CancellationTokenRegistration Registration) _first, _second; // of the method and of the enumeration
    private Exception? _producerError;
    private int _isOver;
    private PumpingRight _pumping;

    protected StreamCall(StreamStarter<TRequest, TItem, TResponse> starter, IAsyncEnumerable<TItem>? items)
    {
        _starter = starter;
        Method = starter.Method.Descriptor;
        Options = OutgoingOptions.OfMethod(Method);
        IsStreamed = HasResponseStream;
        _items = items;
        if (items is not null)
        {
            _over = new CancellationTokenSource();
            _context = ExecutionContext.Capture(); // here: the request may be appended on any thread
        }

        _measuredFrom = starter.Route.Durations.Start();
    }

    protected CallRoute Route => _starter.Route;

    /// <summary>Reads the items of the response stream, or the one reply.</summary>
    protected MessageCodec<TResponse> Responses => _starter.Method.Responses;

    /// <summary>Lets the tokens cancel the call, which has been started.</summary>
    public void CancelWith(CancellationToken first, CancellationToken second = default)
    {
        (_first.Token, _second.Token) = (first, second); // set before one of them may fire
        _first.Registration = Register(first);
        if (second != first) _second.Registration = Register(second);
        Interlocked.MemoryBarrier(); // against OnOver: it sees the registrations, or this thread sees that the call is over
        if (Volatile.Read(ref _isOver) != 0) Unregister();
    }

    /// <summary>The request was appended, and items may follow. The producer is user code and runs elsewhere: this thread may be any.</summary>
    public sealed override void OnAppended()
    {
        if (_pumping.TryTake(this)) WorkQueue.OfProcess.AddUserCode(this);
    }

    void IThreadPoolWorkItem.Execute()
    {
        if (_context is null) _ = PumpAsync();
        else ExecutionContext.Run(_context, static call => _ = ((StreamCall<TRequest, TItem, TResponse>)call!).PumpAsync(), this);
    }

    /// <summary>True if <see cref="OnOver"/> runs user code, which may lose the turn.</summary>
    protected bool IsObserved => _measuredFrom != 0 || Extras?.Activity is not null;

    /// <summary>Sends the call again after its attempt has failed, if that is allowed and its caller has seen nothing of it.</summary>
    /// <param name="failure">The failure; if the call has failed, it is that over all attempts.</param>
    /// <returns>False if the call has failed.</returns>
    protected bool TryRepeat(ref CallFailure failure)
    {
        Route.OnAttemptFailed(this, failure);
        if (!IsKept) return false;
        if (_pumping.TryGiveUp(this) && Window?.TryGiveBack() != false && Route.TryRepeat(this, failure)) return true;
        failure = OutgoingFailure.OverAttempts(Route, this, failure);
        return false;
    }

    /// <summary>Handles the outcome of the call.</summary>
    /// <inheritdoc cref="CallObservers.Tell"/>
    protected bool OnOver(MuxStatus status, bool inTurn)
    {
        ReleaseKept();
        inTurn = CallObservers.Tell(Route, this, _measuredFrom, status, inTurn);
        Interlocked.Exchange(ref _isOver, 1);
        Unregister();
        _ = _over?.CancelAsync(); // callbacks that the producer registered run elsewhere
        return inTurn;
    }

    /// <summary>Gets the exception that the caller receives for a failure.</summary>
    protected Exception ErrorOf(CallFailure failure)
    {
        if (!failure.IsCallerCancel) return new MuxException(OutgoingFailure.Describe(Route, _starter.Method, this, failure));
        bool isCancelled = _first.Token.IsCancellationRequested || _second.Token.IsCancellationRequested;
        if (Volatile.Read(ref _producerError) is { } thrown && !(isCancelled && thrown is OperationCanceledException))
        {
            var status = thrown is MuxException mux ? mux.Status : MuxStatus.Cancelled;
            var cause = new CallFailure(status, failure.Execution, failure.Phase, $"The request stream failed: {thrown.Message}", thrown);
            return new MuxException(OutgoingFailure.Describe(Route, _starter.Method, this, cause));
        }

        var token = _first.Token.IsCancellationRequested ? _first.Token : _second.Token;
        return new OperationCanceledException(failure.Describe(Method, Route.EndpointOf(this)), token);
    }

    private CancellationTokenRegistration Register(CancellationToken token) =>
        token.UnsafeRegister(static state => CallHolder.Cancel((OutgoingCall)state!), this);

    private void Unregister()
    {
        _first.Registration.Unregister();
        _second.Registration.Unregister();
    }

    private async Task PumpAsync()
    {
        var requests = Requests!;
        try
        {
            bool isWhole = await ItemPump<TItem>.RunAsync(_items!, _starter.Method.Items, requests, _over!.Token).ConfigureAwait(false);
            if (isWhole) requests.End();
        }
        catch (Exception error)
        {
            if (Volatile.Read(ref _isOver) != 0) return; // the end of the call ended the producer
            Volatile.Write(ref _producerError, error);
            CallHolder.Cancel(this);
        }
    }
}

/// <summary>Reports outgoing calls to the listeners of meters and spans. Listeners are user code: they may block, and their exceptions are dropped.</summary>
internal static class CallObservers
{
    /// <summary>Reports the outcome of a call, before its caller learns of it. Runs as user code if in a turn.</summary>
    /// <param name="route">The route of the call.</param>
    /// <param name="call">The call.</param>
    /// <param name="measuredFrom">Time of its start, or 0 if durations are not measured.</param>
    /// <param name="status">Status of the outcome.</param>
    /// <param name="inTurn">True if a frame of the peer decided the outcome and its turn is running.</param>
    /// <returns>True if this thread still has the turn.</returns>
    public static bool Tell(CallRoute route, OutgoingCall call, long measuredFrom, MuxStatus status, bool inTurn)
    {
        var activity = call.Extras?.Activity;
        if (measuredFrom == 0 && activity is null) return inTurn;
        var turn = inTurn ? Turn.Current : null;
        turn?.EnterUser(ListenerPlacement.OfAnyMethod);
        route.Durations.Record(measuredFrom, call.Method.FullName, status, route.EndpointOf(call));
        if (activity is not null) Tracing.End(activity, status, call.Holder?.PeerAddress ?? string.Empty);
        return turn is null ? inTurn : turn.TryLeaveUser();
    }
}
