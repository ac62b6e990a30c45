using Mux.Contracts;

namespace Mux.Push;

/// <summary>Refuses calls of a method with a stream.</summary>
internal sealed class RefusedStreamCaller<TRequest, TItem, TResponse>(MethodDescriptor method) : StreamCaller<TRequest, TItem, TResponse>
{
    public override ValueTask<TResponse> CallAsync(
        TRequest request, IAsyncEnumerable<TItem> items, MuxCallOptions? options, CancellationToken cancellationToken) => throw RefusedCall.Of(method);

    public override IAsyncEnumerable<TResponse> Call(
        TRequest request, IAsyncEnumerable<TItem>? items, MuxCallOptions? options, CancellationToken cancellationToken) => throw RefusedCall.Of(method);
}
