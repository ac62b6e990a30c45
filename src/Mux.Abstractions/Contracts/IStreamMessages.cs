using System.ComponentModel;
using Mux.Serialization;

namespace Mux.Contracts;

/// <summary>The messages of a method with a stream in at least one direction: all that a caller needs.</summary>
/// <typeparam name="TRequest">The arguments other than the stream, which are sent first; <see cref="MuxUnit"/> for none.</typeparam>
/// <typeparam name="TItem">An item of the request stream; <see cref="ByteChunk"/> for bytes, <see cref="MuxUnit"/> if there is no request stream.</typeparam>
/// <typeparam name="TResponse">An item of the response stream, or the one reply; <see cref="ByteChunk"/> for bytes.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IStreamMessages<TRequest, TItem, TResponse> : IMethod
{
    /// <summary>Writes the arguments. If it throws, only this call fails, and nothing of it is sent.</summary>
    static abstract void EncodeRequest(ref MessageWriter writer, TRequest request);

    /// <summary>Reads the arguments. Must copy what it keeps: the bytes are valid only during the call.</summary>
    /// <exception cref="InvalidMessageException">The bytes are not such a message.</exception>
    static abstract TRequest DecodeRequest(ReadOnlySpan<byte> body);

    /// <summary>Writes an item of the request stream. If it throws, the call is cancelled.</summary>
    static abstract void EncodeItem(ref MessageWriter writer, TItem item);

    /// <summary>Reads an item of the request stream. Must copy what it keeps: the bytes are valid only during the call.</summary>
    /// <exception cref="InvalidMessageException">The bytes are not such a message.</exception>
    static abstract TItem DecodeItem(ReadOnlySpan<byte> body);

    /// <summary>Writes an item of the response stream, or the reply. If it throws, the caller gets Internal, executed.</summary>
    static abstract void EncodeResponse(ref MessageWriter writer, TResponse response);

    /// <summary>Reads an item of the response stream, or the reply. Must copy what it keeps: the bytes are valid only during the call.</summary>
    /// <exception cref="InvalidMessageException">The bytes are not such a message.</exception>
    static abstract TResponse DecodeResponse(ReadOnlySpan<byte> body);
}
