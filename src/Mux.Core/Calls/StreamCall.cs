using Mux.Contracts;
using Mux.Items;
using Mux.Sessions.Calls;
using Mux.Sessions.Streaming;

namespace Mux.Calls;

/// <summary>One call that streams, from its start to its end: pumps the request stream, if there is one, and ends it when the call is over.</summary>
[System.Diagnostics.CodeAnalysis.SuppressMessage("Design", "CA1001", Justification = "A source without a timer or wait handle holds nothing to dispose, and " +
    "the producer may still hold its token.")]
internal abstract class StreamCall<TRequest, TItem, TResponse, TMethod> : OutgoingStreamCall, IThreadPoolWorkItem
    where TMethod : struct, IStreamMessages<TRequest, TItem, TResponse>
{
    private readonly IAsyncEnumerable<TItem>? _items;
    private readonly CancellationTokenSource? _over; // ends the producer's wait
    private readonly ExecutionContext? _context; // the caller's, in which the producer runs; null without one, or if its flow is suppressed
    private readonly long _measuredFrom;
    private (CancellationToken Token, CancellationTokenRegistration Registration) _first, _second; // of the method and of the enumeration
    private Exception? _producerError;
    private int _isOver;

    protected StreamCall(CallRoute route, IAsyncEnumerable<TItem>? items)
    {
        Route = route;
        Method = TMethod.Descriptor;
        Options = OutgoingOptions.OfMethod(Method);
        IsStreamed = HasResponseStream;
        _items = items;
        if (items is not null)
        {
            _over = new CancellationTokenSource();
            _context = ExecutionContext.Capture(); // here: by the time the request is on its way the thread may be anybody's
        }

        _measuredFrom = route.Durations.Start();
    }

    protected CallRoute Route { get; }

    /// <summary>Lets tokens end the call, which is started.</summary>
    public void CancelWith(CancellationToken first, CancellationToken second = default)
    {
        (_first.Token, _second.Token) = (first, second); // before one of them may fire
        _first.Registration = Register(first);
        if (second != first) _second.Registration = Register(second);
        if (Volatile.Read(ref _isOver) != 0) Unregister();
    }

    /// <summary>The request is on its way, and items may follow. The producer is user code, and this thread may be anybody's.</summary>
    public sealed override void OnAppended() => ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);

    void IThreadPoolWorkItem.Execute()
    {
        if (_context is null) _ = PumpAsync();
        else ExecutionContext.Run(_context, static call => _ = ((StreamCall<TRequest, TItem, TResponse, TMethod>)call!).PumpAsync(), this);
    }

    /// <summary>Whether <see cref="OnOver"/> runs user code, behind which the turn may be another thread's.</summary>
    protected bool IsObserved => _measuredFrom != 0 || Extras?.Activity is not null;

    /// <summary>The call has its outcome.</summary>
    /// <inheritdoc cref="CallObservers.Tell"/>
    protected bool OnOver(MuxStatus status, bool inTurn)
    {
        inTurn = CallObservers.Tell(Route, this, _measuredFrom, status, inTurn);
        Volatile.Write(ref _isOver, 1);
        Unregister();
        _ = _over?.CancelAsync(); // what the producer has registered runs elsewhere
        return inTurn;
    }

    /// <summary>What the caller gets for a failure.</summary>
    protected Exception ErrorOf(CallFailure failure)
    {
        if (!failure.IsCallerCancel) return new MuxException(OutgoingFailure.Describe<TMethod>(Route, this, failure));
        bool isCancelled = _first.Token.IsCancellationRequested || _second.Token.IsCancellationRequested;
        if (Volatile.Read(ref _producerError) is { } thrown && !(isCancelled && thrown is OperationCanceledException))
            return new MuxException(
                OutgoingFailure.Describe<TMethod>(
                Route, this, new(thrown is MuxException mux ? mux.Status
                : MuxStatus.Cancelled, failure.Execution, failure.Phase, $"The request stream failed: {thrown.Message}", thrown)));
        return new OperationCanceledException(failure.Describe(Method, Route.EndpointOf(this)), _first.Token.IsCancellationRequested ? _first.Token
            : _second.Token);
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
            bool isWhole = await ItemPump<TItem, RequestItems<TRequest, TItem, TResponse, TMethod>>.RunAsync(_items!, requests, _over!.Token)
                .ConfigureAwait(false);
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
