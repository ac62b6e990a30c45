using Mux.Contracts;
using Mux.Items;
using Mux.Sessions.Incoming;
using Mux.Sessions.Streaming;

namespace Mux.Services;

/// <summary>Runs requests of one method with a response stream.</summary>
internal sealed class ResponseStreamHandler<TService, TRequest, TItem, TResponse, TMethod>(ServiceSource<TService> services, HandlerEnvironment environment)
    : StreamHandler<TService, TRequest, TItem, TResponse, TMethod>(services, environment)
    where TService : class
    where TMethod : struct, IResponseStreamMethod<TService, TRequest, TItem, TResponse>
{
    protected override async Task AnswerAsync(
        TService service, InboundCall call, AcceptedStream stream, TRequest request, MuxCallOptions? options, CancellationToken cancellationToken)
    {
        var items = TMethod.Invoke(service, request, ItemsOf(stream), options, cancellationToken);
        bool isWhole = await ItemPump<TResponse, ResponseItems<TRequest, TItem, TResponse, TMethod>>.RunAsync(items, stream.Responses!, cancellationToken)
            .ConfigureAwait(false);
        if (!isWhole)
        {
            // The call is over. Its token may not have fired yet, so an exception would count as the handler's own.
            Failures.FailCancelled(call);
            return;
        }

        Failures.Record(call, call.Reply([]));
    }
}
