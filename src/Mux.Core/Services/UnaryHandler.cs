using Microsoft.Extensions.Logging;
using Mux.Buffers;
using Mux.Calls;
using Mux.Contracts;
using Mux.Diagnostics;
using Mux.Execution;
using Mux.Serialization;
using Mux.Sessions.Incoming;
using Mux.Timing;
using Mux.Wire;

namespace Mux.Services;

/// <summary>Runs the requests of one unary or one-way method: decodes, calls the service, encodes. Safe for concurrent use.</summary>
internal sealed class UnaryHandler<TService, TRequest, TResponse, TMethod>(ServiceSource<TService> services, HandlerEnvironment environment) : InboundMethod
    where TService : class
    where TMethod : struct, IUnaryMethod<TService, TRequest, TResponse>
{
    /// <summary>
    /// A reply above this takes some 10 us to encode: then the next calls of the method run on workers, and small calls do not wait for their replies.
    /// </summary>
    private const int LargeReply = 64 * 1024;

    private readonly TService? _singleton = services.Singleton;
    private readonly ILogger _logger = environment.Logger;
    private readonly CallDurations _durations = environment.Durations;
    private readonly HandlerFailures<TMethod> _failures = new(environment);
    private volatile bool _repliesAreLarge; // as the last one was
    private readonly bool _takesOptions = TMethod.Descriptor.TakesOptions;
    private readonly MuxDispatchMode _dispatch = TMethod.Descriptor.Choices.DispatchOr(environment.Dispatch);
    private readonly bool _takesToken = TMethod.Descriptor.TakesToken;
    private readonly Placement _placement =
        new(TMethod.Descriptor.FullName, staysInline: TMethod.Descriptor.Choices.DispatchOr(environment.Dispatch) == MuxDispatchMode.Inline);

    public ObjectPool<QueuedRequest<TService, TRequest, TResponse, TMethod>> QueuedRequests { get; } =
        ObjectPool<QueuedRequest<TService, TRequest, TResponse, TMethod>>.Shared;

    public ObjectPool<RunningHandler<TService, TRequest, TResponse, TMethod>> RunningHandlers { get; } =
        ObjectPool<RunningHandler<TService, TRequest, TResponse, TMethod>>.Shared;

    public override MethodDescriptor Descriptor => TMethod.Descriptor;

    public override void Invoke(in InboundCall call, ReadOnlySpan<byte> body)
    {
        long now = _durations.Start();
        if (now == 0) Decode(call, body);
        else Decode(call with { MeasuredFrom = now }, body);
    }

    public override bool TryQueue(in InboundCall call, IWork item, int bytes)
    {
        if (_dispatch == MuxDispatchMode.Pool) return base.TryQueue(call, item, bytes);

        // Charged as much as may come in one frame: what large requests hold together is bounded for each connection, and a burst of them is no overload.
        if (ProcessWorkers.Handlers.TryAdd(item, Math.Min(bytes, ProtocolConstants.MaxWholeBody))) return true;
        _failures.FailOverloaded(call);
        return false;
    }

    public override void Refuse(in InboundCall call) => _failures.FailOverloaded(call);

    private void Decode(in InboundCall call, ReadOnlySpan<byte> body)
    {
        TRequest request;
        try
        {
            request = TMethod.DecodeRequest(body);
        }
        catch (Exception error)
        {
            _failures.FailUndecodable(call, error);
            return;
        }

        // A call that is in no turn is where its handler may block: see TryQueue.
        if (call.InTurn && !RunsInTurn) Queue(call with { InTurn = false }, request, body.Length);
        else Run(call, request);
    }

    /// <summary>Starts the handler, here and now.</summary>
    public void Run(in InboundCall call, TRequest request)
    {
        var turn = call.InTurn ? Turn.Current : null;
        turn?.EnterUser(_placement); // before the span begins: who hears of it is user code too, and the span is current until the handler has returned
        if (_takesOptions || Tracing.IsListenedTo) RunObserved(call.WithOptions(_takesOptions ? ReceivedOptions.Of(call) : null), turn, request);
        else RunPlainly(call, turn, request);
    }

    /// <summary>With a span, if somebody wants one.</summary>
    private void RunObserved(in InboundCall call, Turn? turn, TRequest request)
    {
        if (Tracing.StartHandler(Descriptor, call.Extras?.Trace, call.Session.RemoteAddress) is not { } activity)
        {
            RunPlainly(call, turn, request);
            return;
        }

        RunPlainly(call.WithActivity(activity), turn, request);
        Tracing.Leave(activity); // if its handler goes on elsewhere
    }

    /// <param name="call">The call.</param>
    /// <param name="turn">In user code; null if the call is in none.</param>
    /// <param name="request">Decoded.</param>
    private void RunPlainly(in InboundCall call, Turn? turn, TRequest request)
    {
        bool hasResult = TryStart(call, request, out var response, out var cancellation, out var lease);
        bool isLost = turn?.TryLeaveUser() == false;
        if (!hasResult) return;
        // another thread has gone on: the answer goes the way of all that come from elsewhere
        if (isLost) Finish(call with { InTurn = false }, null, response!, cancellation, lease);
        else Finish(call, turn, response!, cancellation, lease);
    }

    private void Finish(in InboundCall call, Turn? turn, TResponse response, InboundCancellation? cancellation, in ServiceLease<TService> lease)
    {
        Reply(call, response);
        if (lease.Scope is null) End(cancellation, lease);
        else EndAsUserCode(turn is { IsLost: false } ? turn : null, cancellation, lease);
    }

    private bool RunsInTurn => _dispatch != MuxDispatchMode.Pool && _placement.IsInline && (!_repliesAreLarge || _dispatch == MuxDispatchMode.Inline);

    private void Queue(in InboundCall call, TRequest request, int bytes)
    {
        var workers = _dispatch == MuxDispatchMode.Pool ? null : ProcessWorkers.Handlers;
        if (!QueuedRequest<TService, TRequest, TResponse, TMethod>.TryQueue(this, call, request, bytes, workers)) _failures.FailOverloaded(call);
    }

    /// <summary>Everything until the handler has returned: user code.</summary>
    /// <returns>Whether it has completed; otherwise the call is answered, or will be.</returns>
    private bool TryStart(in InboundCall call, TRequest request, out TResponse? response, out InboundCancellation? cancellation,
        out ServiceLease<TService> lease)
    {
        response = default;
        cancellation = null;
        try
        {
            lease = _singleton is { } singleton ? new(singleton, null) : services.Open();
        }
        catch (Exception error)
        {
            lease = default;
            _failures.FailWithoutService(call, error);
            return false;
        }

        if (_takesToken) cancellation = call.OpenCancellation();
        try
        {
            bool isLimited = call.Due != Clock.Never && AmbientDeadline.IsUsed;
            if (isLimited) AmbientDeadline.Set(call.Due, call.Session.Clock);
            var running = TMethod.InvokeAsync(lease.Service, request, call.Options, cancellation?.Token ?? CancellationToken.None);
            if (isLimited && !call.InTurn) AmbientDeadline.Clear(); // a turn takes back what is left on the thread by itself
            if (running.IsCompletedSuccessfully)
            {
#pragma warning disable VSTHRD002 // it is complete
                response = running.Result;
#pragma warning restore VSTHRD002
                return true;
            }

            RunningHandler<TService, TRequest, TResponse, TMethod>.Await(this, call with { InTurn = false }, cancellation, lease, running);
            return false;
        }
        catch (Exception error)
        {
            Fail(call, cancellation, error);
            End(cancellation, lease);
            return false;
        }
    }

    private void EndAsUserCode(Turn? turn, InboundCancellation? cancellation, in ServiceLease<TService> lease)
    {
        turn?.EnterUser(_placement);
        End(cancellation, lease);
        turn?.TryLeaveUser();
    }

    /// <summary>Sends the handler's result.</summary>
    public void Reply(in InboundCall call, TResponse response)
    {
        if (TMethod.ReturnsResult && TMethod.FailureOf(response) is { } failure)
        {
            _failures.Fail(call, failure);
            return;
        }

        var status = call.InTurn && !call.HasResponseMetadata ? ReplyInTurn(call, response) : ReplyElsewhere(call with { InTurn = false }, response);
        if (status is { } known) _failures.Record(call, known);
    }

    /// <summary>Sends what the handler threw.</summary>
    public void Fail(in InboundCall call, InboundCancellation? cancellation, Exception error) => _failures.Fail(call, error, cancellation?.Token ?? default);

    /// <summary>The call is answered and its handler has returned.</summary>
    public void End(InboundCancellation? cancellation, in ServiceLease<TService> lease)
    {
        cancellation?.Release();
        ServiceScope.End(lease, _logger, Descriptor.FullName);
    }

    /// <returns>How the call ended; null if its reply could not be encoded, which is dealt with.</returns>
    private MuxStatus? ReplyInTurn(in InboundCall call, TResponse response)
    {
        var writer = call.BeginReply();
        try
        {
            TMethod.EncodeResponse(ref writer, response);
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
    private MuxStatus? ReplyElsewhere(in InboundCall call, TResponse response)
    {
        var buffer = MessageBuffer.Rent();
        try
        {
            var writer = buffer.CreateWriter();
            TMethod.EncodeResponse(ref writer, response);
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
