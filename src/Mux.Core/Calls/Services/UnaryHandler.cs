using System.Runtime.CompilerServices;
using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;
using Mux.Serialization;
using Mux.Services;
using Mux.Telemetry;

namespace Mux.Calls;

/// <summary>Runs requests of one unary or one-way method: decodes, calls the service, encodes. Safe for concurrent use.</summary>
/// <remarks>Methods with messages of reference types share its code. What shared code would have to look up by type is in fields here.</remarks>
internal class UnaryHandler<TRequest, TResponse>(
    UnaryMethod<TRequest, TResponse> method, ServiceSource<object> services, HandlerEnvironment environment, FilterPlan? filters = null,
    BatchQueue<TRequest, TResponse>? batches = null) : InboundMethod
{
    /// <summary>
    /// Encoding a larger reply takes 10 us or more. After one, the method's next calls run on workers, so that small calls do not wait for their replies.
    /// </summary>
    private const int LargeReply = 64 * 1024;

    private readonly MessageCodec<TRequest> _requests = method.Requests;
    private readonly MessageCodec<TResponse> _responses = method.Responses;
    private readonly UnaryInvocation<TRequest, TResponse> _invoke = batches is null ? method.Invoke : batches.InvokeAsync;
    private readonly bool _repliesHoldFailures = method.Responses.HoldsFailures;
    private readonly object? _singleton = services.Singleton;
    private readonly CallDurations _durations = environment.Durations;
    private readonly HandlerFailures _failures = new(method, environment);
    private volatile bool _repliesAreLarge; // like the last one
    private readonly bool _takesOptions = method.Descriptor.TakesOptions;
    private readonly bool _hasContext = environment.HasCallContexts;
    private readonly bool _showsOptions = method.Descriptor.TakesOptions || environment.HasCallContexts;
    private readonly MuxDispatchMode _dispatch = method.Descriptor.Choices.DispatchOr(environment.Dispatch);
    private readonly bool _takesToken = method.Descriptor.TakesToken;
    private readonly Placement _placement = new(
        method.Descriptor.FullName,
        staysInline: method.Descriptor.Choices.DispatchOr(environment.Dispatch) == MuxDispatchMode.Inline,
        keepsOrder: environment.KeepsOrder(method.Descriptor));

    public UnaryMethod<TRequest, TResponse> Method => method;

    /// <summary>Null for a method without filters.</summary>
    public ObjectPool<FilteredRequest<TRequest, TResponse>> FilteredRequests { get; } =
        filters is null ? null! : ObjectPool<FilteredRequest<TRequest, TResponse>>.Shared;

    public ObjectPool<QueuedRequest<TRequest, TResponse>> QueuedRequests { get; } =
        ObjectPool<QueuedRequest<TRequest, TResponse>>.Shared;

    public ObjectPool<RunningHandler<TRequest, TResponse>> RunningHandlers { get; } =
        ObjectPool<RunningHandler<TRequest, TResponse>>.Shared;

    public override MethodDescriptor Descriptor { get; } = method.Descriptor;

    public override bool ShowsOptions => _showsOptions || filters is not null;

    public override void Invoke(in InboundCall call, ReadOnlySpan<byte> body)
    {
        long now = _durations.Start();
        if (now == 0) Decode(call, body);
        else Decode(call with { MeasuredFrom = now }, body);
    }

    public override bool TryQueue(in InboundCall call, IWork item, int bytes)
    {
        if (_dispatch == MuxDispatchMode.Pool) return base.TryQueue(call, item, bytes);

        // Charged at most one frame: the memory of large requests is bounded per connection, and a burst of them is no overload.
        if (ProcessWorkers.Handlers.TryAdd(item, Math.Min(bytes, ProtocolConstants.MaxWholeBody))) return true;
        _failures.FailOverloaded(call);
        return false;
    }

    public override void Refuse(in InboundCall call)
    {
        _failures.FailOverloaded(call);
        LeaveKey(call);
    }

    /// <summary>Fails a call for lack of room, before it has a key.</summary>
    protected void FailOverloaded(in InboundCall call, string text) => _failures.FailOverloaded(call, text);

    /// <inheritdoc cref="HandlerFailures.FailUndecodable"/>
    protected void FailUndecodable(in InboundCall call, Exception error) => _failures.FailUndecodable(call, error);

    /// <inheritdoc cref="HandlerFailures.FailKey"/>
    protected void FailKey(in InboundCall call, Exception error) => _failures.FailKey(call, method.KeyName, error);

    /// <summary>Gets the call with the time of its arrival, if durations are measured.</summary>
    protected InboundCall Measured(in InboundCall call) => _durations.Start() is not 0 and var now ? call with { MeasuredFrom = now } : call;

    /// <summary>Runs a decoded request here, or where its handler may block.</summary>
    protected void Place(in InboundCall call, TRequest request, int bytes)
    {
        if (call.InTurn && !RunsInTurn) Queue(call with { InTurn = false }, request, bytes);
        else Run(call, request);
    }

    private void Decode(in InboundCall call, ReadOnlySpan<byte> body)
    {
        TRequest request;
        try
        {
            request = _requests.Decode(body);
        }
        catch (Exception error)
        {
            _failures.FailUndecodable(call, error);
            return;
        }

        // A call in no turn is already where its handler may block: see TryQueue.
        if (call.InTurn && !RunsInTurn) Queue(call with { InTurn = false }, request, body.Length);
        else Run(call, request);
    }

    /// <summary>Runs the handler on this thread.</summary>
    public void Run(in InboundCall call, TRequest request)
    {
        var turn = call.InTurn ? Turn.Current : null;
        turn?.EnterUser(_placement); // before the span begins: its listeners are user code, too, and the span is current until the handler has returned
        if (_showsOptions || Tracing.IsListenedTo) RunObserved(call.WithOptions(_showsOptions ? ReceivedOptions.Of(call) : null), turn, request);
        else RunPlainly(call, turn, request);
    }

    /// <summary>Runs the handler with its options, and with a span if one is listened to.</summary>
    private void RunObserved(in InboundCall call, Turn? turn, TRequest request)
    {
        if (Tracing.StartHandler(Descriptor, call.Extras?.Trace, call.Session.RemoteAddress) is not { } activity)
        {
            RunPlainly(call, turn, request);
            return;
        }

        RunPlainly(call.WithActivity(activity), turn, request);
        Tracing.Leave(activity); // in case the handler continues elsewhere
    }

    /// <summary>Runs the handler without a new span.</summary>
    /// <param name="call">The call.</param>
    /// <param name="turn">The turn, in user code; null if the call is in none.</param>
    /// <param name="request">The decoded request.</param>
    private void RunPlainly(in InboundCall call, Turn? turn, TRequest request)
    {
        if (filters is not null)
        {
            RunFiltered(filters, call, turn, request);
            return;
        }

        InboundCancellation? cancellation = null;
        bool hasResult = _hasContext ? TryStartInContext(call, request, out var response, ref cancellation, out var lease)
            : TryStart(call, request, out response, ref cancellation, out lease);
        bool isLost = turn?.TryLeaveUser() == false;
        if (!hasResult) return;
        // Another thread has continued the turn: the answer is sent like any from outside it.
        if (isLost) Finish(call with { InTurn = false }, null, response!, cancellation, lease);
        else Finish(call, turn, response!, cancellation, lease);
    }

    private void Finish(in InboundCall call, Turn? turn, TResponse response, InboundCancellation? cancellation, in ServiceLease<object> lease)
    {
        Reply(call, response);
        if (lease.Scope is null) End(call, cancellation, lease);
        else EndAsUserCode(call, turn is { IsLost: false } ? turn : null, cancellation, lease);
    }

    public sealed override bool RunsInTurn =>
        _dispatch != MuxDispatchMode.Pool && _placement.IsInline && (!_repliesAreLarge || _dispatch == MuxDispatchMode.Inline);

    private void Queue(in InboundCall call, TRequest request, int bytes)
    {
        var workers = _dispatch == MuxDispatchMode.Pool ? null : ProcessWorkers.Handlers;
        if (!QueuedRequest<TRequest, TResponse>.TryQueue(this, call, request, bytes, workers)) Refuse(call);
    }

    /// <summary>Runs everything until the handler has returned, all of it user code.</summary>
    /// <returns>True if it has completed; otherwise the call is answered, or will be.</returns>
    private bool TryStart(in InboundCall call, TRequest request, out TResponse? response, ref InboundCancellation? cancellation,
        out ServiceLease<object> lease)
    {
        response = default;
        try
        {
            lease = _singleton is { } singleton ? new(singleton, null) : services.OpenFor(call.Session);
        }
        catch (Exception error)
        {
            lease = default;
            cancellation?.Release();
            _failures.FailWithoutService(call, error);
            LeaveKey(call);
            return false;
        }

        if (_takesToken) cancellation ??= call.OpenCancellation();
        try
        {
            // A handler that sees its options may call its caller back, even if no channel of the process inherits deadlines.
            bool isInherited = (call.Due != Clock.Never && (AmbientCall.IsUsed || call.Options is not null)) || call.IsRetry;
            if (isInherited) AmbientCall.Set(call.Due, call.IsRetry, call.Session.Clock);
            var running = _invoke(lease.Service, request, _takesOptions ? call.Options : null, _takesToken ? cancellation!.Token : CancellationToken.None);
            if (isInherited && !call.InTurn) AmbientCall.Clear(); // a turn clears what is left on its thread
            if (running.IsCompletedSuccessfully)
            {
#pragma warning disable VSTHRD002 // it is complete
                response = running.Result;
#pragma warning restore VSTHRD002
                return true;
            }

            RunningHandler<TRequest, TResponse>.Await(this, call with { InTurn = false }, cancellation, lease, running);
            return false;
        }
        catch (Exception error)
        {
            Fail(call, cancellation, error);
            End(call, cancellation, lease);
            return false;
        }
    }

    /// <summary>Like <see cref="RunPlainly"/>, with the filters of the method around the handler. Apart from it: methods without filters pass nothing of
    /// it.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void RunFiltered(FilterPlan plan, in InboundCall call, Turn? turn, TRequest request)
    {
        var run = _hasContext ? TryFilterInContext(plan, call, request) : TryFilter(plan, call, null, request);
        if (run is { HasResponse: false })
        {
            AnswerFailed(run, run.AnswerableCall(call.InTurn));
            run = null;
        }

        bool isLost = turn?.TryLeaveUser() == false;
        if (run is null) return;
        if (isLost || run.HasOwnOptions) Finish(run.AnswerableCall(call.InTurn && !isLost), isLost ? null : turn, run.Response, run.Cancellation, run.Lease);
        else Finish(call, turn, run.Response, run.Cancellation, run.Lease);
        run.Recycle();
    }

    /// <summary>Runs the filters and the handler, all of it user code.</summary>
    /// <returns>The call, if they have ended; null if the call is answered, or will be.</returns>
    private FilteredRequest<TRequest, TResponse>? TryFilter(FilterPlan plan, in InboundCall call, InboundCancellation? cancellation, TRequest request)
    {
        ServiceLease<object> lease;
        try
        {
            lease = _singleton is { } singleton ? new(singleton, null) : services.OpenFor(call.Session);
        }
        catch (Exception error)
        {
            cancellation?.Release();
            _failures.FailWithoutService(call, error);
            LeaveKey(call);
            return null;
        }

        bool isInherited = (call.Due != Clock.Never && (AmbientCall.IsUsed || call.Options is not null)) || call.IsRetry;
        if (isInherited) AmbientCall.Set(call.Due, call.IsRetry, call.Session.Clock);
        var run = FilteredRequest<TRequest, TResponse>.Rent(this, plan, call, request, cancellation, lease);
        bool hasEnded = run.TryRun();
        if (!call.InTurn) AmbientCall.Clear(); // a filter that reads options sets it, too; a turn clears what is left on its thread
        return hasEnded ? run : null;
    }

    /// <inheritdoc cref="TryFilter"/>
    private FilteredRequest<TRequest, TResponse>? TryFilterInContext(FilterPlan plan, in InboundCall call, TRequest request)
    {
        var cancellation = call.OpenCancellation();
        using var scope = ReceivedOptions.EnterContext(call, call.Options!, cancellation);
        return TryFilter(plan, call, cancellation, request);
    }

    /// <summary>Calls the service for a call whose filters run.</summary>
    public ValueTask<TResponse> Start(in InboundCall call, object service, TRequest request, ref InboundCancellation? cancellation)
    {
        if (_takesToken) cancellation ??= call.OpenCancellation();
        return _invoke(service, request, _takesOptions ? call.Options : null, _takesToken ? cancellation!.Token : CancellationToken.None);
    }

    /// <summary>Answers a call whose filters did not end at once, now that they have ended. In no turn.</summary>
    public void AnswerFiltered(FilteredRequest<TRequest, TResponse> run)
    {
        var call = run.AnswerableCall(inTurn: false);
        if (!run.HasResponse)
        {
            AnswerFailed(run, call);
            return;
        }

        Reply(call, run.Response);
        End(call, run.Cancellation, run.Lease);
        run.Recycle();
    }

    private void AnswerFailed(FilteredRequest<TRequest, TResponse> run, in InboundCall call)
    {
        var execution = run.HasStarted ? MuxExecution.Executed : MuxExecution.NotExecuted;
        if (run.Exception is { } error) _failures.Fail(call, error, run.Cancellation?.Token ?? default, execution);
        else _failures.Fail(call, run.Failure!, execution);
        if (!run.IsWhole) run.Cancellation?.Abandon(); // its handler may still have the token; ended for good, so the release that follows does nothing
        End(call, run.Cancellation, run.Lease);
        run.Recycle();
    }

    /// <inheritdoc cref="TryStart"/>
    private bool TryStartInContext(in InboundCall call, TRequest request, out TResponse? response, ref InboundCancellation? cancellation,
        out ServiceLease<object> lease)
    {
        cancellation = call.OpenCancellation();
        using var scope = ReceivedOptions.EnterContext(call, call.Options!, cancellation); // before the service is created, which may ask for it
        return TryStart(call, request, out response, ref cancellation, out lease);
    }

    private void EndAsUserCode(in InboundCall call, Turn? turn, InboundCancellation? cancellation, in ServiceLease<object> lease)
    {
        turn?.EnterUser(_placement);
        End(call, cancellation, lease);
        turn?.TryLeaveUser();
    }

    /// <summary>Sends the result of the handler.</summary>
    public void Reply(in InboundCall call, TResponse response)
    {
        if (_repliesHoldFailures && _responses.FailureOf(response) is { } failure)
        {
            _failures.Fail(call, failure);
            return;
        }

        var end = call.InTurn && !call.HasResponseMetadata ? ReplyInTurn(call, response) : ReplyElsewhere(call with { InTurn = false }, response);
        if (end is { } known) _failures.RecordReply(call, known);
    }

    /// <summary>Fails a call with the exception of its handler.</summary>
    public void Fail(in InboundCall call, InboundCancellation? cancellation, Exception error) => _failures.Fail(call, error, cancellation?.Token ?? default);

    /// <summary>Releases what the call held: it is answered, and its handler has returned.</summary>
    public void End(in InboundCall call, InboundCancellation? cancellation, in ServiceLease<object> lease)
    {
        cancellation?.Release();
        ServiceScope.End(lease, _failures, call.Session.Clock);
        if (call.KeyPlace != 0) LeaveKey(call); // last: the next call of the key finds nothing of this one
    }

    /// <summary>Answers a call that its caller has given up, if it has, instead of running it.</summary>
    public bool TryFailAbandoned(in InboundCall call)
    {
        if (!call.TryFailAbandoned()) return false;
        LeaveKey(call);
        return true;
    }

    /// <summary>Leaves the key that the call has, if it has one.</summary>
    public virtual void LeaveKey(in InboundCall call)
    {
        // Only calls of ordered methods have keys.
    }

    /// <returns>How the call ended; null if its reply could not be encoded, which was handled.</returns>
    private ReplyEnd? ReplyInTurn(in InboundCall call, TResponse response)
    {
        var writer = call.BeginReply();
        try
        {
            _responses.Encode(ref writer, response);
        }
        catch (Exception error)
        {
            call.AbortReply();
            _failures.FailUnencodable(call, error);
            return null;
        }

        if (writer.Count > LargeReply) _repliesAreLarge = true;
        return call.CommitReply(ref writer);
    }

    /// <inheritdoc cref="ReplyInTurn"/>
    private ReplyEnd? ReplyElsewhere(in InboundCall call, TResponse response)
    {
        var buffer = MessageBuffer.Rent();
        try
        {
            var writer = buffer.CreateWriter();
            _responses.Encode(ref writer, response);
            _repliesAreLarge = writer.Count > LargeReply;
            return call.Reply(writer.Written, buffer);
        }
        catch (Exception error)
        {
            _failures.FailUnencodable(call, error);
            return null;
        }
        finally
        {
            buffer.Return();
        }
    }
}

/// <summary>Answers the call of a handler that did not complete at once, when it completes. Reused.</summary>
internal sealed class RunningHandler<TRequest, TResponse>
{
    private readonly Action _onCompleted;
    private UnaryHandler<TRequest, TResponse>? _handler;
    private InboundCall _call;
    private InboundCancellation? _cancellation;
    private ServiceLease<object> _lease;
    private ConfiguredValueTaskAwaitable<TResponse>.ConfiguredValueTaskAwaiter _awaiter;

    private RunningHandler() => _onCompleted = OnCompleted;

    public static void Await(
        UnaryHandler<TRequest, TResponse> handler,
        in InboundCall call,
        InboundCancellation? cancellation,
        in ServiceLease<object> lease,
        ValueTask<TResponse> running)
    {
        var item = handler.RunningHandlers.TryRent() ?? new();
        item._handler = handler;
        item._call = call;
        item._cancellation = cancellation;
        item._lease = lease;
        item._awaiter = running.ConfigureAwait(false).GetAwaiter();
        if (item._awaiter.IsCompleted) item.OnCompleted();
        else item._awaiter.UnsafeOnCompleted(item._onCompleted);
    }

    private void OnCompleted()
    {
        var (handler, call, cancellation, lease, awaiter) = (_handler!, _call, _cancellation, _lease, _awaiter);
        (_handler, _call, _cancellation, _lease, _awaiter) = (null, default, null, default, default);
        handler.RunningHandlers.Return(this);
        try
        {
#pragma warning disable VSTHRD002 // this is the completion: nothing blocks
            handler.Reply(call, awaiter.GetResult());
#pragma warning restore VSTHRD002
        }
        catch (Exception error)
        {
            handler.Fail(call, cancellation, error); // Reply itself never throws
        }

        handler.End(call, cancellation, lease);
    }
}

/// <summary>A decoded request on its way to another thread. Reused.</summary>
internal sealed class QueuedRequest<TRequest, TResponse> : IWork, IDeferredRequest
{
    private UnaryHandler<TRequest, TResponse>? _handler;
    private InboundCall _call;
    private TRequest _request = default!;
    private Workers? _workers; // null for the thread pool
    private int _bytes;

    private QueuedRequest()
    {
    }

    string IWork.Name => _handler!.Descriptor.FullName;

    IWorkOwner IWork.Owner => _call.Session.WorkOwner;

    IWorkClock? IWork.Clock => _call.WorkClock;

    long IDeferredRequest.Due => _call.Due;

    int IDeferredRequest.Length => _bytes;

    /// <summary>Queues a request.</summary>
    /// <param name="handler">Runs the request.</param>
    /// <param name="call">A call that is in no turn.</param>
    /// <param name="request">The decoded request.</param>
    /// <param name="bytes">Its length on the wire, by which the queue is bounded.</param>
    /// <param name="workers">The workers that run it; null for the .NET thread pool.</param>
    /// <returns>False if the workers have too much to do; then nothing is kept.</returns>
    public static bool TryQueue(
        UnaryHandler<TRequest, TResponse> handler, in InboundCall call, TRequest request, int bytes, Workers? workers)
    {
        var item = handler.QueuedRequests.TryRent() ?? new();
        item._handler = handler;
        item._call = call;
        item._request = request;
        item._workers = workers;
        item._bytes = bytes;
        if (workers is null)
        {
            EnginePool.Queue(item);
            return true;
        }

        if (workers.TryAdd(item, bytes)) return true;
        item.Release();
        return false;
    }

    public bool IsAbandoned(long now) => _call.IsAbandonedAt(now);

    void IDeferredRequest.Resume()
    {
        if (_workers is not { } workers) EnginePool.Queue(this);
        else if (!workers.TryAdd(this, _bytes)) ((IWork)this).Refuse();
    }

    void IDeferredRequest.Refuse(string text, uint retryAfterMilliseconds, bool isPause)
    {
        var (handler, call) = (_handler!, _call);
        Release();
        call.FailOverloaded(text, retryAfterMilliseconds, isPause);
        handler.LeaveKey(call);
    }

    void IThreadPoolWorkItem.Execute()
    {
        if (_call.Replies.Room.TryDefer(this)) return;
        var (handler, call, request) = (_handler!, _call, _request);
        Release();
        if (!handler.TryFailAbandoned(call)) handler.Run(call, request);
    }

    void IWork.Refuse()
    {
        var (handler, call) = (_handler!, _call);
        Release();
        handler.Refuse(call);
    }

    private void Release()
    {
        var pool = _handler!.QueuedRequests;
        (_handler, _call, _request) = (null, default, default!);
        pool.Return(this);
    }
}
