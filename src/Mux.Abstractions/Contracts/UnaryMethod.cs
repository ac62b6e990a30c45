using System.ComponentModel;

namespace Mux.Contracts;

/// <summary>A method with one request and one reply or none.</summary>
/// <typeparam name="TRequest">The request message; <see cref="MuxUnit"/> for no arguments, a generated message for several.</typeparam>
/// <typeparam name="TResponse">The reply message, or <see cref="MuxUnit"/>; a <see cref="MuxResult{T}"/> of it if the contract returns one.</typeparam>
/// <param name="descriptor">The method's identity.</param>
/// <param name="requests">Writes and reads requests.</param>
/// <param name="responses">Writes and reads replies.</param>
/// <param name="invoke">Calls the method on an implementation.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class UnaryMethod<TRequest, TResponse>(
    MethodDescriptor descriptor,
    MessageCodec<TRequest> requests,
    MessageCodec<TResponse> responses,
    UnaryInvocation<TRequest, TResponse> invoke) : RequestMethod<TRequest>(descriptor, requests)
{
    /// <summary>Gets the codec of replies.</summary>
    public MessageCodec<TResponse> Responses { get; } = responses;

    /// <summary>Gets the delegate that calls the method on an implementation.</summary>
    public UnaryInvocation<TRequest, TResponse> Invoke { get; } = invoke;

    /// <summary>Gets how an implementation takes calls in batches; null if the contract declares none.</summary>
    public BatchMethod<TRequest, TResponse>? Batch { get; init; }

    /// <inheritdoc/>
    public override void Prepare()
    {
        Responses.Prepare();
        base.Prepare();
    }
}
