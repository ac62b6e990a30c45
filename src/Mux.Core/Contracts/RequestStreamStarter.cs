using Mux.Channels;

namespace Mux.Contracts;

/// <summary>Makes the calls of one method that takes a stream and answers once, on one channel. Safe for concurrent use.</summary>
internal sealed class RequestStreamStarter<TService, TRequest, TItem, TResponse, TMethod>(ConnectionPool pool) : RequestStreamCaller<TRequest, TItem, TResponse>
    where TService : class
    where TMethod : struct, IRequestStreamMethod<TService, TRequest, TItem, TResponse>
{
    public override ValueTask<TResponse> CallAsync(TRequest request, IAsyncEnumerable<TItem> items, CallOptions? options, CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested) return ValueTask.FromCanceled<TResponse>(cancellationToken);
        var call = new RequestStreamCall<TService, TRequest, TItem, TResponse, TMethod>(pool, items);
        try
        {
            StreamStart.Run(call, pool, request, options);
        }
        catch (Exception error)
        {
            return ValueTask.FromException<TResponse>(error);
        }

        call.CancelWith(cancellationToken);
        return new ValueTask<TResponse>(call.Response);
    }
}
