using System.ComponentModel;

namespace Mux.Contracts;

/// <summary>
/// A method with a stream in at least one direction. Its <see cref="MethodDescriptor.Shape"/> says which of the two invocations it has.
/// </summary>
/// <typeparam name="TRequest">The arguments other than the stream, which are sent first; <see cref="MuxUnit"/> for none.</typeparam>
/// <typeparam name="TItem">An item of the request stream; <see cref="ByteChunk"/> for bytes, <see cref="MuxUnit"/> if there is no request stream.</typeparam>
/// <typeparam name="TResponse">An item of the response stream, or the one reply; <see cref="ByteChunk"/> for bytes.</typeparam>
/// <param name="descriptor">The method's identity.</param>
/// <param name="requests">Writes and reads the arguments other than the stream.</param>
/// <param name="items">Writes and reads items of the request stream.</param>
/// <param name="responses">Writes and reads items of the response stream, or the one reply.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class StreamMethod<TRequest, TItem, TResponse>(
    MethodDescriptor descriptor,
    MessageCodec<TRequest> requests,
    MessageCodec<TItem> items,
    MessageCodec<TResponse> responses) : RequestMethod<TRequest>(descriptor, requests)
{
    /// <summary>Gets the codec of items of the request stream.</summary>
    public MessageCodec<TItem> Items { get; } = items;

    /// <summary>Gets the codec of items of the response stream, or of the one reply.</summary>
    public MessageCodec<TResponse> Responses { get; } = responses;

    /// <summary>Gets the delegate that calls the method on an implementation, if it has one reply.</summary>
    public RequestStreamInvocation<TRequest, TItem, TResponse>? InvokeAsync { get; init; }

    /// <summary>Gets the delegate that calls the method on an implementation, if it has a response stream.</summary>
    public ResponseStreamInvocation<TRequest, TItem, TResponse>? Invoke { get; init; }

    /// <inheritdoc/>
    public override void Prepare()
    {
        Items.Prepare();
        Responses.Prepare();
        base.Prepare();
    }
}
