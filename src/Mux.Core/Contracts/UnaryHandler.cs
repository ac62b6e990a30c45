using Microsoft.Extensions.Logging;
using Mux.Buffers;
using Mux.Connections;
using Mux.Diagnostics;
using Mux.Dispatch;
using Mux.Execution;
using Mux.Serialization;

namespace Mux.Contracts;

/// <summary>Runs the requests of one unary or one-way method: decodes, calls the service, encodes. Safe for concurrent use.</summary>
internal sealed class UnaryHandler<TService, TRequest, TResponse, TMethod>(ServiceSource<TService> services, HandlerEnvironment environment) : InboundMethod
    where TService : class
    where TMethod : struct, IUnaryMethod<TService, TRequest, TResponse>
{
    private readonly TService? _singleton = services.Singleton;
    private readonly ILogger _logger = environment.Logger;
    private readonly CallDurations _durations = environment.Durations;
    private readonly RateLimit _refusalLog = environment.RefusalLog;
    private readonly MuxDispatch _dispatch = TMethod.Descriptor.DispatchOr(environment.Dispatch);
    private readonly bool _takesToken = TMethod.Descriptor.TakesToken;
    private readonly Placement _placement = new(TMethod.Descriptor.FullName, staysInline: TMethod.Descriptor.DispatchOr(environment.Dispatch) == MuxDispatch.Inline);

    public ObjectPool<QueuedRequest<TService, TRequest, TResponse, TMethod>> QueuedRequests { get; } = ObjectPool<QueuedRequest<TService, TRequest, TResponse, TMethod>>.Shared;

    public ObjectPool<RunningHandler<TService, TRequest, TResponse, TMethod>> RunningHandlers { get; } = ObjectPool<RunningHandler<TService, TRequest, TResponse, TMethod>>.Shared;

    public override MethodDescriptor Descriptor => TMethod.Descriptor;

    public override void Invoke(in InboundCall call, ReadOnlySpan<byte> body)
    {
        long now = _durations.Start();
        if (now == 0) Decode(call, body);
        else Decode(call with { MeasuredFrom = now }, body);
    }

    private void Decode(in InboundCall call, ReadOnlySpan<byte> body)
    {
        TRequest request;
        try
        {
            request = TMethod.DecodeRequest(body);
        }
        catch (Exception error)
        {
            FailUndecodable(call, error);
            return;
        }

        // A call that is in no turn was parked, and is on the thread pool by now.
        if (call.InTurn && !RunsInTurn) Queue(call with { InTurn = false }, request, body.Length);
        else Run(call, request);
    }

    /// <summary>Starts the handler, here and now.</summary>
    public void Run(in InboundCall call, TRequest request)
    {
        var turn = call.InTurn ? Turn.Current : null;
        turn?.EnterUser(_placement);
        bool hasResult = TryStart(call, request, out var response, out var cancellation, out var lease);
        bool isLost = turn?.TryLeaveUser() == false;
        if (!hasResult) return;
        if (isLost) Finish(call with { InTurn = false }, null, response!, cancellation, lease); // another thread has gone on: the answer goes the way of all that come from elsewhere
        else Finish(call, turn, response!, cancellation, lease);
    }

    private void Finish(in InboundCall call, Turn? turn, TResponse response, InboundCancellation? cancellation, in ServiceLease<TService> lease)
    {
        Reply(call, response);
        if (lease.Scope is null) End(cancellation, lease);
        else EndAsUserCode(turn is { IsLost: false } ? turn : null, cancellation, lease);
    }

    private bool RunsInTurn => _dispatch != MuxDispatch.Pool && _placement.IsInline;

    private void Queue(in InboundCall call, TRequest request, int bytes)
    {
        var workers = _dispatch == MuxDispatch.Adaptive ? Workers.Shared : null;
        if (QueuedRequest<TService, TRequest, TResponse, TMethod>.TryQueue(this, call, request, bytes, workers)) return;
        var turn = EnterUserCode(Turn.Owner is not null);
        if (_refusalLog.TryPass(call.Acceptor.Clock.Now, out int others)) ExecutionLog.WorkRefused(_logger, Descriptor.FullName, Workers.Shared.MaxThreads, Workers.Shared.Waiting, others);
        Fail(call, MuxStatus.ResourceExhausted, MuxExecution.NotExecuted, "The server is overloaded: all threads for its handlers are busy, and too many calls wait for one.");
        turn?.TryLeaveUser();
    }

    /// <summary>Everything until the handler has returned: user code.</summary>
    /// <returns>Whether it has completed; otherwise the call is answered, or will be.</returns>
    private bool TryStart(in InboundCall call, TRequest request, out TResponse? response, out InboundCancellation? cancellation, out ServiceLease<TService> lease)
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
            ServerLog.ServiceUnavailable(_logger, Descriptor.FullName, error);
            Fail(call, MuxStatus.Internal, MuxExecution.NotExecuted, "The service could not be created.");
            return false;
        }

        if (_takesToken) cancellation = call.OpenCancellation();
        try
        {
            var running = TMethod.InvokeAsync(lease.Service, request, cancellation?.Token ?? CancellationToken.None);
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

    /// <summary>For what else may block: a log is user code as well.</summary>
    private static Turn? EnterUserCode(bool inTurn)
    {
        var turn = inTurn ? Turn.Current : null;
        turn?.EnterUser(null); // not the handler's cost
        return turn;
    }

    private void FailUndecodable(in InboundCall call, Exception error)
    {
        var turn = EnterUserCode(call.InTurn);
        ServerLog.RequestUndecodable(_logger, Descriptor.FullName, error);
        Fail(call, MuxStatus.InvalidArgument, MuxExecution.NotExecuted, error is InvalidMessageException ? error.Message : "The request could not be decoded.");
        turn?.TryLeaveUser();
    }

    /// <summary>Sends the handler's result.</summary>
    public void Reply(in InboundCall call, TResponse response)
    {
        if (call.InTurn) ReplyInTurn(call, response);
        else ReplyElsewhere(call, response);
        if (call.MeasuredFrom != 0) _durations.Record(call.MeasuredFrom, Descriptor.FullName, MuxStatus.Ok);
    }

    /// <summary>Sends what the handler threw.</summary>
    public void Fail(in InboundCall call, InboundCancellation? cancellation, Exception error)
    {
        switch (error)
        {
            case MuxException { Endpoint: null } chosen: // one with an endpoint is another service's, and none of this caller's business
                ServerLog.HandlerRefused(_logger, Descriptor.FullName, chosen.Status, chosen);
                Fail(call, chosen.Status, MuxExecution.Executed, chosen.Message);
                break;
            case OperationCanceledException when cancellation?.Token.IsCancellationRequested == true:
                Fail(call, call.IsExpired ? MuxStatus.DeadlineExceeded : MuxStatus.Cancelled, MuxExecution.Executed, "The handler was cancelled.");
                break;
            default:
                ServerLog.HandlerFailed(_logger, Descriptor.FullName, error);
                Fail(call, MuxStatus.Unknown, MuxExecution.Executed, "The handler threw an exception; the log of the server says which.");
                break;
        }
    }

    private void Fail(in InboundCall call, MuxStatus status, MuxExecution execution, string text)
    {
        _durations.Record(call.MeasuredFrom, Descriptor.FullName, status);
        call.Fail(status, execution, text);
    }

    /// <summary>The call is answered and its handler has returned.</summary>
    public void End(InboundCancellation? cancellation, in ServiceLease<TService> lease)
    {
        cancellation?.Release();
        if (lease.Scope is { } scope) DisposeScope(scope);
    }

    private void ReplyInTurn(in InboundCall call, TResponse response)
    {
        var writer = call.BeginReply();
        try
        {
            TMethod.EncodeResponse(ref writer, response);
        }
        catch (Exception error)
        {
            call.AbortReply();
            FailUnencodable(call, error);
            return;
        }

        call.CommitReply(ref writer);
    }

    private void ReplyElsewhere(in InboundCall call, TResponse response)
    {
        var buffer = MessageBuffer.Rent();
        try
        {
            var writer = buffer.CreateWriter();
            TMethod.EncodeResponse(ref writer, response);
            call.Reply(writer.Written);
        }
        catch (Exception error)
        {
            FailUnencodable(call, error);
        }
        finally
        {
            buffer.Return();
        }
    }

    private void FailUnencodable(in InboundCall call, Exception error)
    {
        var turn = EnterUserCode(call.InTurn);
        ServerLog.ReplyUnencodable(_logger, Descriptor.FullName, error);
        Fail(call, MuxStatus.Internal, MuxExecution.Executed, "The reply could not be encoded.");
        turn?.TryLeaveUser();
    }

    private void DisposeScope(IAsyncDisposable scope)
    {
        try
        {
            var disposing = scope.DisposeAsync();
            if (disposing.IsCompletedSuccessfully) disposing.GetAwaiter().GetResult();
            else _ = AwaitDisposeAsync(disposing);
        }
        catch (Exception error)
        {
            ServerLog.ScopeFailed(_logger, Descriptor.FullName, error);
        }
    }

    private async Task AwaitDisposeAsync(ValueTask disposing)
    {
        try
        {
            await disposing.ConfigureAwait(false);
        }
        catch (Exception error)
        {
            ServerLog.ScopeFailed(_logger, Descriptor.FullName, error);
        }
    }
}
