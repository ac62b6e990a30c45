using System.ComponentModel;
using Mux.Contracts;
using Mux.Serialization;

namespace Mux.Callbacks;

/// <summary>A method of a callback interface, as the generator describes it. Immutable.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public abstract class CallbackMethod
{
    private protected CallbackMethod(string name) => Name = name;

    /// <summary>Gets the wire name.</summary>
    public string Name { get; }

    /// <summary>Gets a value indicating whether the handler does not wait for an answer.</summary>
    public bool IsOneWay { get; init; }

    /// <summary>Gets a value indicating whether the method takes a token.</summary>
    public bool TakesToken { get; init; }

    /// <summary>Calls the method on the caller's object.</summary>
    /// <returns>The encoded result.</returns>
    internal abstract ValueTask<ReadOnlyMemory<byte>> RunAsync(object callback, ReadOnlyMemory<byte> body, CancellationToken cancellationToken);

    /// <inheritdoc cref="MessageCodec{T}.Prepare"/>
    internal abstract void Prepare();
}

/// <summary>A method of a callback interface with its messages.</summary>
/// <typeparam name="TRequest">The arguments, or <see cref="MuxUnit"/>.</typeparam>
/// <typeparam name="TResponse">The result, or <see cref="MuxUnit"/>.</typeparam>
/// <param name="name">The wire name.</param>
/// <param name="requests">Writes and reads the arguments.</param>
/// <param name="responses">Writes and reads the result.</param>
/// <param name="invoke">Calls the method on an object.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class CallbackMethod<TRequest, TResponse>(
    string name,
    MessageCodec<TRequest> requests,
    MessageCodec<TResponse> responses,
    Func<object, TRequest, CancellationToken, ValueTask<TResponse>> invoke) : CallbackMethod(name)
{
    internal MessageCodec<TRequest> Requests => requests;

    internal MessageCodec<TResponse> Responses => responses;

    internal override async ValueTask<ReadOnlyMemory<byte>> RunAsync(object callback, ReadOnlyMemory<byte> body, CancellationToken cancellationToken)
    {
        TRequest request;
        try
        {
            request = requests.Decode(body.Span);
        }
        catch (Exception error) when (OutOfMemory.Is(error))
        {
            const string text = "The arguments of the callback could not be decoded: the caller is out of memory.";
            throw new MuxException(MuxStatus.ResourceExhausted, text, error);
        }
        catch (Exception error)
        {
            var text = error is InvalidMessageException ? error.Message : "The arguments of the callback could not be decoded.";
            throw new MuxException(MuxStatus.InvalidArgument, text, error);
        }

        var response = await invoke(callback, request, cancellationToken).ConfigureAwait(false);
        try
        {
            return EncodedMessage.Of(responses, response);
        }
        catch (Exception error)
        {
            throw new MuxException(OutOfMemory.StatusOr(error, MuxStatus.Internal), "The result of the callback could not be encoded.", error);
        }
    }

    internal override void Prepare()
    {
        requests.Prepare();
        responses.Prepare();
    }
}
