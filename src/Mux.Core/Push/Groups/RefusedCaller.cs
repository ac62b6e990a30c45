using Mux.Contracts;

namespace Mux.Push;

/// <summary>Refuses calls of a method that a group cannot call.</summary>
internal sealed class RefusedCaller<TRequest, TResponse>(MethodDescriptor method) : MethodCaller<TRequest, TResponse>
{
    public override ValueTask<TResponse> CallAsync(TRequest request, CancellationToken cancellationToken) => throw RefusedCall.Of(method);

    public override ValueTask CallWithoutResultAsync(TRequest request, CancellationToken cancellationToken) => throw RefusedCall.Of(method);

    public override ValueTask<TResponse> CallAsync(TRequest request, MuxCallOptions? options, CancellationToken cancellationToken) =>
        throw RefusedCall.Of(method);

    public override ValueTask CallWithoutResultAsync(TRequest request, MuxCallOptions? options, CancellationToken cancellationToken) =>
        throw RefusedCall.Of(method);
}
