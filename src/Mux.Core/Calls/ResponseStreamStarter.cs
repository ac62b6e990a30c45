using Mux.Contracts;

namespace Mux.Calls;

/// <summary>Makes calls of one method with a response stream, on one channel. Safe for concurrent use.</summary>
internal sealed class ResponseStreamStarter<TRequest, TItem, TResponse, TMethod>(CallRoute route) : ResponseStreamCaller<TRequest, TItem, TResponse>
    where TMethod : struct, IStreamMessages<TRequest, TItem, TResponse>
{
    private readonly MuxDispatchMode _dispatch = TMethod.Descriptor.Choices.DispatchOr(route.Dispatch);

    public override IAsyncEnumerable<TResponse> Call(
        TRequest request, IAsyncEnumerable<TItem>? items, MuxCallOptions? options, CancellationToken cancellationToken) =>
        new Stream(this, request, items, options, cancellationToken);

    private IAsyncEnumerator<TResponse> Start(
        TRequest request, IAsyncEnumerable<TItem>? items, MuxCallOptions? options, CancellationToken first, CancellationToken second)
    {
        first.ThrowIfCancellationRequested();
        second.ThrowIfCancellationRequested();
        if (StreamStart.FailWithoutItems<TItem, TMethod>(route, items) is { } failure) throw failure;
        var call = new ResponseStreamCall<TRequest, TItem, TResponse, TMethod>(route, _dispatch, items);
        StreamStart.Run(call, route, request, options);
        call.CancelWith(first, second);
        return call.Reader.Hold();
    }

    /// <summary>A call that is made when it is enumerated.</summary>
    private sealed class Stream(
        ResponseStreamStarter<TRequest, TItem, TResponse, TMethod> starter,
        TRequest request,
        IAsyncEnumerable<TItem>? items,
        MuxCallOptions? options,
        CancellationToken cancellationToken) : IAsyncEnumerable<TResponse>
    {
        public IAsyncEnumerator<TResponse> GetAsyncEnumerator(CancellationToken enumerationToken = default) =>
            starter.Start(request, items, options, cancellationToken, enumerationToken);
    }
}
