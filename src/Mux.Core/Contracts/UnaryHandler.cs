using Microsoft.Extensions.Logging;
using Mux.Connections;
using Mux.Diagnostics;
using Mux.Dispatch;
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
    private readonly bool _onPool = TMethod.Descriptor.RunsOnPool(environment.Dispatch);

    public override MethodDescriptor Descriptor => TMethod.Descriptor;

    public override void Invoke(in InboundCall arrived, ReadOnlySpan<byte> body)
    {
        var call = arrived with { MeasuredFrom = _durations.Start() };
        TRequest request;
        try
        {
            request = TMethod.DecodeRequest(body);
        }
        catch (Exception error)
        {
            ServerLog.RequestUndecodable(_logger, Descriptor.FullName, error);
            var text = error is InvalidMessageException ? error.Message : "The request could not be decoded.";
            Fail(call, MuxStatus.InvalidArgument, MuxExecution.NotExecuted, text);
            return;
        }

        if (_onPool && call.InTurn)
        {
            PooledRequest<TService, TRequest, TResponse, TMethod>.Queue(this, call with { InTurn = false }, request);
            return;
        }

        Run(call, request);
        if (call.InTurn) Turn.RestoreContext();
    }

    /// <summary>Starts the handler, here and now.</summary>
    public void Run(in InboundCall call, TRequest request)
    {
        ServiceLease<TService> lease;
        try
        {
            lease = _singleton is { } singleton ? new(singleton, null) : services.Open();
        }
        catch (Exception error)
        {
            ServerLog.ServiceUnavailable(_logger, Descriptor.FullName, error);
            Fail(call, MuxStatus.Internal, MuxExecution.NotExecuted, "The service could not be created.");
            return;
        }

        var cancellation = Descriptor.TakesToken ? call.OpenCancellation() : null;
        ValueTask<TResponse> running;
        try
        {
            running = TMethod.InvokeAsync(lease.Service, request, cancellation?.Token ?? CancellationToken.None);
        }
        catch (Exception error)
        {
            Fail(call, cancellation, error);
            End(cancellation, lease);
            return;
        }

        if (!running.IsCompletedSuccessfully)
        {
            RunningHandler<TService, TRequest, TResponse, TMethod>.Await(this, call with { InTurn = false }, cancellation, lease, running);
            return;
        }

#pragma warning disable VSTHRD002 // it is complete
        Reply(call, running.Result);
#pragma warning restore VSTHRD002
        End(cancellation, lease);
    }

    /// <summary>Sends the handler's result.</summary>
    public void Reply(in InboundCall call, TResponse response)
    {
        if (call.InTurn) ReplyInTurn(call, response);
        else ReplyElsewhere(call, response);
        _durations.Record(call.MeasuredFrom, Descriptor.FullName, MuxStatus.Ok);
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
        ServerLog.ReplyUnencodable(_logger, Descriptor.FullName, error);
        Fail(call, MuxStatus.Internal, MuxExecution.Executed, "The reply could not be encoded.");
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
