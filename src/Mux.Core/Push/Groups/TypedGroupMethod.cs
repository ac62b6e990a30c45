using Mux.Contracts;

namespace Mux.Push;

/// <summary>A one-way method that groups call, with its messages.</summary>
internal sealed class TypedGroupMethod<TRequest, TResponse>(UnaryMethod<TRequest, TResponse> method) : GroupMethod(method.Descriptor)
{
    public MessageCodec<TRequest> Requests { get; } = method.Requests;

    public override ValueTask InvokeAsync(object service, ReadOnlySpan<byte> body)
    {
        var running = method.Invoke(service, Requests.Decode(body), null, CancellationToken.None);
        return running.IsCompletedSuccessfully ? default : new ValueTask(running.AsTask());
    }
}
