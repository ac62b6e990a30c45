using Mux.Channels;

namespace Mux.Contracts;

/// <summary>Makes the calls of one method that answers with a stream, on one channel. Safe for concurrent use.</summary>
internal sealed class ResponseStreamStarter<TService, TRequest, TItem, TResponse, TMethod>(ConnectionPool pool) : ResponseStreamCaller<TRequest, TItem, TResponse>
    where TService : class
    where TMethod : struct, IResponseStreamMethod<TService, TRequest, TItem, TResponse>
{
    private readonly MuxDispatch _dispatch = TMethod.Descriptor.DispatchOr(pool.Dispatch);

    public override IAsyncEnumerable<TResponse> Call(TRequest request, IAsyncEnumerable<TItem>? items, CallOptions? options, CancellationToken cancellationToken) =>
        new Stream(this, request, items, options, cancellationToken);

    private IAsyncEnumerator<TResponse> Start(TRequest request, IAsyncEnumerable<TItem>? items, CallOptions? options, CancellationToken first, CancellationToken second)
    {
        first.ThrowIfCancellationRequested();
        second.ThrowIfCancellationRequested();
        var call = new ResponseStreamCall<TService, TRequest, TItem, TResponse, TMethod>(pool, _dispatch, items);
        StreamStart.Run(call, pool, request, options);
        call.CancelWith(first, second);
        return call.Reader;
    }

    /// <summary>A call that is made when it is enumerated.</summary>
    private sealed class Stream(
        ResponseStreamStarter<TService, TRequest, TItem, TResponse, TMethod> starter,
        TRequest request,
        IAsyncEnumerable<TItem>? items,
        CallOptions? options,
        CancellationToken cancellationToken) : IAsyncEnumerable<TResponse>
    {
        public IAsyncEnumerator<TResponse> GetAsyncEnumerator(CancellationToken enumerationToken = default) => starter.Start(request, items, options, cancellationToken, enumerationToken);
    }
}
