using System.ComponentModel;
using Mux.Serialization;

namespace Mux.Contracts;

/// <summary>The messages that all methods have: one way there and one way back.</summary>
/// <typeparam name="TRequest">The request message, or the arguments other than the stream; <see cref="MuxUnit"/> for none.</typeparam>
/// <typeparam name="TResponse">The reply message, or an item of the response stream.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IMethodMessages<TRequest, TResponse> : IMethod
{
    /// <summary>Writes the request. If it throws, only this call fails, and nothing of it is sent.</summary>
    static abstract void EncodeRequest(ref MessageWriter writer, TRequest request);

    /// <summary>Reads a request. Must copy what it keeps: the bytes are valid only during the call.</summary>
    /// <exception cref="InvalidMessageException">The bytes are not such a message.</exception>
    static abstract TRequest DecodeRequest(ReadOnlySpan<byte> body);

    /// <summary>Writes the reply, or an item of the response stream. If it throws, the caller gets Internal, executed.</summary>
    static abstract void EncodeResponse(ref MessageWriter writer, TResponse response);

    /// <summary>Reads a reply, or an item of the response stream. Must copy what it keeps: the bytes are valid only during the call.</summary>
    /// <exception cref="InvalidMessageException">The bytes are not such a message.</exception>
    static abstract TResponse DecodeResponse(ReadOnlySpan<byte> body);
}
