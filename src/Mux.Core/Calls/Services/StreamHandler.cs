using System.Security.Claims;
using Mux.Contracts;
using Mux.Engine;
using Mux.Filters;
using Mux.Runtime;
using Mux.Serialization;
using Mux.Services;
using Mux.Telemetry;

namespace Mux.Calls;

/// <summary>
/// Runs requests of one method that streams. Decodes a request in the turn. Then a worker calls the service and runs its streams to their end. Safe for
/// concurrent use.
/// </summary>
internal sealed class StreamHandler<TRequest, TItem, TResponse>(
    StreamMethod<TRequest, TItem, TResponse> method, ServiceSource<object> services, HandlerEnvironment environment, FilterPlan? filters = null) : InboundMethod
{
    private readonly HandlerFailures _failures = new(method, environment);
    private readonly ItemsOf<TItem> _items = new(method.Descriptor, method.Items);
    private readonly MuxDispatchMode _dispatch = method.Descriptor.Choices.DispatchOr(environment.Dispatch);
    private readonly Placement _placement = new(method.Descriptor.FullName, staysInline: true); // used only with the mode Inline

    public override MethodDescriptor Descriptor => method.Descriptor;

    public override bool ShowsOptions => method.Descriptor.TakesOptions || environment.HasCallContexts || filters is not null;

    public override MethodShape Streams => method.Descriptor.Shape;

    public override IInboundItems OpenItems(in InboundCall call) =>
        new RequestReader<TItem>(_failures, _dispatch, _items, call).Items;

    public override void Invoke(in InboundCall call, ReadOnlySpan<byte> body)
    {
        var measured = call with { MeasuredFrom = environment.Durations.Start() };
        TRequest request;
        try
        {
            request = method.Requests.Decode(body);
        }
        catch (Exception error)
        {
            _failures.FailUndecodable(measured, error);
            return;
        }

        var run = new Run(this, measured with { InTurn = false }, request);
        if (_dispatch == MuxDispatchMode.Inline && call.InTurn && !MonitorSignals.IsShortOfLeaders) RunInTurn(run);
        else if (_dispatch == MuxDispatchMode.Pool) EnginePool.Queue(run);
        else if (!ProcessWorkers.Handlers.TryAdd(run, body.Length)) _failures.FailOverloaded(measured with { InTurn = false });
    }

    public override void Refuse(in InboundCall call) => _failures.FailOverloaded(call);

    private void RunInTurn(Run run)
    {
        var turn = Turn.Current;
        turn?.EnterUser(_placement);
        run.Execute();
        turn?.TryLeaveUser();
    }

    private async Task RunAsync(InboundCall call, TRequest request)
    {
        if (call.TryFailAbandoned()) return;
        var options = ShowsOptions ? ReceivedOptions.Of(call) : null;
        call = call.WithOptions(options);
        InboundCancellation? cancellation = null;
        if (environment.HasCallContexts)
        {
            cancellation = call.OpenCancellation();
            // Before the service is created, which may ask for it. What an asynchronous method sets ends with it.
            _ = ReceivedOptions.EnterContext(call, options!, cancellation);
        }

        ServiceLease<object> lease;
        try
        {
            lease = services.OpenFor(call.Session);
        }
        catch (Exception error)
        {
            cancellation?.Release();
            _failures.FailWithoutService(call, error);
            return;
        }

        if (call.Stream is not { } stream)
        {
            // The grace of the connection has ended: a handler must not mistake missing items for the end of its stream. The failure is not sent, only counted.
            _failures.Fail(call, MuxStatus.Cancelled, MuxExecution.NotExecuted, "The connection ended before the handler started.");
            cancellation?.Release();
            ServiceScope.End(lease, _failures, call.Session.Clock);
            return;
        }

        cancellation ??= call.OpenCancellation();
        var token = cancellation.Token;
        var ending = token.UnsafeRegister(static state => ((AcceptedStream)state!).Abort(), stream);
        if (Tracing.IsListenedTo && Tracing.StartHandler(method.Descriptor, call.Extras?.Trace, call.Session.RemoteAddress) is { } activity)
        {
            call = call.WithActivity(activity);
        }

        if (AmbientCall.IsUsed || call.IsRetry || call.Options is not null) AmbientCall.Set(call.Due, call.IsRetry, call.Session.Clock);
        try
        {
            if (filters is not null) await AnswerFilteredAsync(filters, lease, call, stream, request, cancellation).ConfigureAwait(false);
            else await AnswerAsync(lease.Service, call, stream, request, method.Descriptor.TakesOptions ? options : null, token).ConfigureAwait(false);
        }
        catch (Exception error)
        {
            _failures.Fail(call, error, token);
        }

        await ending.DisposeAsync().ConfigureAwait(false);
        stream.Abort(); // also ends code that still reads the request stream
        cancellation.Release();
        ServiceScope.End(lease, _failures, call.Session.Clock);
    }

    /// <summary>Calls the service and answers the call, unless the service throws.</summary>
    private async Task AnswerAsync(
        object service, InboundCall call, AcceptedStream stream, TRequest request, MuxCallOptions? options, CancellationToken cancellationToken)
    {
        var items = stream.Items as IAsyncEnumerable<TItem> ?? AsyncEnumerable.Empty<TItem>();
        if (stream.Responses is not { } responses)
        {
            Reply(call, await method.InvokeAsync!(service, request, items, options, cancellationToken).ConfigureAwait(false));
            return;
        }

        if (call.Session.Peer.ReadsStreamMetadata) responses.Ahead = call.Options?.ResponseMetadata;
        var replies = method.Invoke!(service, request, items, options, cancellationToken);
        var sending = replies is IPushedItems<TResponse> pushed
            ? call.Session.RequestCounts.Subscriptions.CountAsync(
                pushed.SendAsync(method.Responses, responses, onSent: null, cancellationToken))
            : ItemPump<TResponse>.RunAsync(replies, method.Responses, responses, cancellationToken);
        bool isWhole = await sending.ConfigureAwait(false);
        if (isWhole) _failures.RecordReply(call, call.Reply([]));
        else _failures.FailCancelled(call); // the call is over; its token may not have fired yet, so an exception would count as the handler's own
    }

    /// <summary>Runs the filters and the service, and answers the call.</summary>
    private async Task AnswerFilteredAsync(
        FilterPlan plan, ServiceLease<object> lease, InboundCall call, AcceptedStream stream, TRequest request, InboundCancellation cancellation)
    {
        var run = new FilteredStream<TRequest, TItem, TResponse>(method, call, stream, lease.Service, lease.Scope as IServiceProvider, cancellation);
        await run.RunAsync(plan, request).ConfigureAwait(false);
        var execution = run.HasStarted ? MuxExecution.Executed : MuxExecution.NotExecuted;
        if (run.HasResponse && stream.Responses is null) Reply(call, run.Response);
        else if (run.HasResponse) _failures.RecordReply(call, call.Reply([]));
        else if (run.Failure is { } failure) _failures.Fail(call, failure, execution);
        else if (run is { IsCutOff: true, Exception: OperationCanceledException }) _failures.FailCancelled(call); // its token may not have fired yet
        else _failures.Fail(call, run.Exception!, cancellation.Token, execution);
        if (!run.IsWhole) cancellation.Abandon(); // its handler may still have the token; ended for good, so the release that follows does nothing
    }

    private void Reply(in InboundCall call, TResponse response)
    {
        ReplyEnd end;
        var buffer = MessageBuffer.Rent();
        try
        {
            var writer = buffer.CreateWriter();
            method.Responses.Encode(ref writer, response);
            end = call.Reply(writer.Written, buffer);
        }
        catch (Exception error)
        {
            _failures.FailUnencodable(call, error);
            return;
        }
        finally
        {
            buffer.Return();
        }

        _failures.RecordReply(call, end);
    }

    private sealed class Run(StreamHandler<TRequest, TItem, TResponse> handler, InboundCall call, TRequest request) : IWork
    {
        string IWork.Name => handler.Descriptor.FullName;

        IWorkOwner IWork.Owner => call.Session.WorkOwner;

        IWorkClock? IWork.Clock => call.WorkClock;

        bool IWork.IsAbandoned(long now) => call.IsAbandonedAt(now);

        public void Execute() => _ = handler.RunAsync(call, request);

        public void Refuse() => handler.Refuse(call);
    }
}

/// <summary>The request stream of one call, read by its handler. Errors in the stream are thrown where the handler reads.</summary>
internal sealed class RequestReader<T> : IItemConsumer
{
    private readonly HandlerFailures _failures;
    private readonly MethodDescriptor _method;
    private readonly ReplyPort _replies;
    private readonly ushort _ordinal;
    private readonly bool _isForwarded;
    private int _isEnumerated;

    public RequestReader(HandlerFailures failures, MuxDispatchMode dispatch, ItemsOf<T> items, in InboundCall call)
    {
        _failures = failures;
        _method = items.Method;
        _replies = call.Replies;
        _ordinal = call.Ordinal;
        _isForwarded = call.IsForwarded;
        Items = StreamReaders.Create(items, this, dispatch);
    }

    public IStreamReader<T> Items { get; }

    IWorkOwner IItemConsumer.WorkOwner => _replies.Session.WorkOwner;

    /// <exception cref="InvalidOperationException">The stream was enumerated before: its items are gone, and an empty stream would look complete.</exception>
    bool IItemConsumer.OnEnumerated(CancellationToken cancellationToken)
    {
        if (Interlocked.Exchange(ref _isEnumerated, 1) != 0)
        {
            throw new InvalidOperationException($"The request stream of {_method.FullName} was enumerated before; it can be enumerated once. Keep its " +
                "items in a list to read them again.");
        }

        return false; // the peer owns the call
    }

    void IItemConsumer.OnDisposed()
    {
    }

    void IItemConsumer.OnUndecodable(Exception error)
    {
        // The gateway cannot tell it from what a handler decides, so it would not stop one client before all of its clients are refused here. It costs the peer
        // a call that runs.
        if (!_isForwarded) _replies.Session.OnUndecodable(_ordinal, isForwarded: false);
        if (error is not InvalidMessageException) _failures.OnItemUndecodable(error, _replies.Session.Clock);
        var thrown = UndecodableMessage.IsThrown(error) ? _failures.NameForCaller(error) : string.Empty;
        var text = UndecodableMessage.Request("An item of the request", error, _method, _replies.Fingerprints.Of(_ordinal), thrown);
        Items.End(new MuxException(UndecodableMessage.StatusOfRequest(error), text, error), Turn.Current, isTurns: true, drops: false);
    }

    void IItemConsumer.OnUserCodeFailed(Exception error) => _failures.OnThrown(error, _replies.Session.Clock);
}

/// <summary>A request with streams, on its way through the filters of its method.</summary>
/// <param name="method">The method.</param>
/// <param name="call">The call, with the options that its filters see.</param>
/// <param name="stream">Its streams.</param>
/// <param name="service">The service.</param>
/// <param name="services">Services of the scope of the call; null if it has none.</param>
/// <param name="cancellation">The token of the call.</param>
internal sealed class FilteredStream<TRequest, TItem, TResponse>(
    StreamMethod<TRequest, TItem, TResponse> method, InboundCall call, AcceptedStream stream, object service, IServiceProvider? services,
    InboundCancellation cancellation) : StreamRun<TRequest, TItem, TResponse>(method)
{
    public override MuxCallSide Side => MuxCallSide.Server;

    public override string Peer => call.Session.RemoteAddress;

    public override ClaimsPrincipal? User => CallerIdentity.Of(call);

    public override MuxMetadata Metadata => call.Options!.Metadata!;

    public override MuxMetadata ResponseMetadata => call.Options!.ResponseMetadata!;

    public override MuxCallOptions? Options
    {
        get => call.Options;
        set => throw ReceivedOptions.CannotBeReplaced();
    }

    public override TimeSpan? TimeLeft => ReceivedOptions.TimeLeftOf(call);

    public override CancellationToken CancellationToken => cancellation.Token;

    public override IServiceProvider? Services => services ?? Plan.Services;

    /// <summary>True if the call was over before its response stream was.</summary>
    public bool IsCutOff { get; private set; }

    /// <summary>Runs the filters and the handler to their end. The outcome is in this object.</summary>
    public async Task RunAsync(FilterPlan plan, TRequest request)
    {
        Begin(plan);
        Message = request;
        try
        {
            await StartAsync().ConfigureAwait(false);
        }
        catch (Exception)
        {
            // the outcome of the run
        }
    }

    protected override ValueTask<TResponse> CallAsync() => Contract.InvokeAsync!(service, Message, Requests(Received), HandlerOptions, cancellation.Token);

    protected override async ValueTask StreamAsync(IAsyncEnumerable<TResponse>? own)
    {
        var responses = stream.Responses!;
        if (call.Session.Peer.ReadsStreamMetadata) responses.Ahead = call.Options!.ResponseMetadata;
        var replies = own ?? Contract.Invoke!(service, Message, Requests(Received), HandlerOptions, cancellation.Token);
        var sending = replies is IPushedItems<TResponse> pushed && !WrapsResponses
            ? call.Session.RequestCounts.Subscriptions.CountAsync(
                pushed.SendAsync(Contract.Responses, responses, CountSent, cancellation.Token))
            : ItemPump<TResponse>.RunAsync(Responses(replies), Contract.Responses, responses, cancellation.Token);
        if (await sending.ConfigureAwait(false))
        {
            SetHasResponse();
            return;
        }

        IsCutOff = true;
        throw new OperationCanceledException("The call was over before its response stream was.", cancellation.Token);
    }

    protected override MuxStatus StatusOf(Exception error) =>
        IsCutOff && error is OperationCanceledException ? call.AbandonedStatus : HandlerFailures.StatusOf(call, error, cancellation);

    private IAsyncEnumerable<TItem> Received => stream.Items as IAsyncEnumerable<TItem> ?? AsyncEnumerable.Empty<TItem>();

    private MuxCallOptions? HandlerOptions => Contract.Descriptor.TakesOptions ? call.Options : null;
}

/// <summary>Items of a response stream that send themselves as they come, instead of being enumerated by their call.</summary>
/// <typeparam name="T">An item.</typeparam>
internal interface IPushedItems<T>
{
    /// <summary>Sends items to their end, unless the call ends before.</summary>
    /// <param name="codec">Writes the items.</param>
    /// <param name="stream">The stream that sends them.</param>
    /// <param name="onSent">Told how many items were handed to the stream, by one thread at a time; null if they are not counted.</param>
    /// <param name="cancellationToken">Fires when the call is over.</param>
    /// <returns>False if the call ended before the items did.</returns>
    /// <exception cref="MuxException">The items end in a failure.</exception>
    Task<bool> SendAsync(MessageCodec<T> codec, OutboundStream stream, Action<int>? onSent, CancellationToken cancellationToken);
}
