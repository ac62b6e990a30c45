using Mux.Contracts;

namespace Mux.Push;

/// <summary>Finds the codec of the first response stream of a contract that has such items.</summary>
internal sealed class ResponseCodec<T> : IMethodVisitor
{
    public MessageCodec<T>? Found { get; private set; }

    public void Unary<TRequest, TResponse>(UnaryMethod<TRequest, TResponse> method)
    {
        // It sends no items.
    }

    public void Stream<TRequest, TItem, TResponse>(StreamMethod<TRequest, TItem, TResponse> method)
    {
        if (Found is null && method.Descriptor.Shape.HasFlag(MethodShape.ResponseStream)) Found = method.Responses as MessageCodec<T>;
    }
}
