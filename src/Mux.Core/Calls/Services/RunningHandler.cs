using System.Runtime.CompilerServices;
using Mux.Engine;
using Mux.Services;

namespace Mux.Calls;

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
