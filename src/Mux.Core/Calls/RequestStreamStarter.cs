using Mux.Contracts;

namespace Mux.Calls;

/// <summary>Makes calls of one method with a request stream and one response, on one channel. Safe for concurrent use.</summary>
internal sealed class RequestStreamStarter<TRequest, TItem, TResponse, TMethod>(CallRoute route) : RequestStreamCaller<TRequest, TItem, TResponse>
    where TMethod : struct, IStreamMessages<TRequest, TItem, TResponse>
{
    public override ValueTask<TResponse> CallAsync(
        TRequest request, IAsyncEnumerable<TItem> items, MuxCallOptions? options, CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested) return ValueTask.FromCanceled<TResponse>(cancellationToken);
        if (StreamStart.FailWithoutItems<TItem, TMethod>(route, items) is { } failure) return ValueTask.FromException<TResponse>(failure);
        var call = new RequestStreamCall<TRequest, TItem, TResponse, TMethod>(route, items);
        try
        {
            StreamStart.Run(call, route, request, options);
        }
        catch (Exception error)
        {
            return ValueTask.FromException<TResponse>(error);
        }

        call.CancelWith(cancellationToken);
        return new ValueTask<TResponse>(call.Response);
    }
}
