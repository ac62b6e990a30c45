using Mux.Serialization;

namespace Mux.Contracts;

/// <summary>The messages of a method that streams in at least one direction: all that a caller needs of it.</summary>
/// <typeparam name="TRequest">The arguments beside the stream, which travel first; <see cref="MuxUnit"/> for none.</typeparam>
/// <typeparam name="TItem">An item of the request stream; <see cref="ByteChunk"/> for bytes, <see cref="MuxUnit"/> where there is no request
/// stream.</typeparam>
/// <typeparam name="TResponse">An item of the response stream, or the one reply; <see cref="ByteChunk"/> for bytes.</typeparam>
public interface IStreamMessages<TRequest, TItem, TResponse> : IMethod
{
    /// <summary>Writes the arguments. May throw; then the call fails alone and nothing of it is sent.</summary>
    static abstract void EncodeRequest(ref MessageWriter writer, TRequest request);

    /// <summary>Reads the arguments. Must copy whatever it keeps: the bytes are only valid during the call.</summary>
    /// <exception cref="InvalidMessageException">The bytes are not such a message.</exception>
    static abstract TRequest DecodeRequest(ReadOnlySpan<byte> body);

    /// <summary>Writes an item of the request stream. May throw; then the call is cancelled.</summary>
    static abstract void EncodeItem(ref MessageWriter writer, TItem item);

    /// <summary>Reads an item of the request stream. Must copy whatever it keeps: the bytes are only valid during the call.</summary>
    /// <exception cref="InvalidMessageException">The bytes are not such a message.</exception>
    static abstract TItem DecodeItem(ReadOnlySpan<byte> body);

    /// <summary>Writes an item of the response stream, or the reply. May throw; then the caller sees Internal, executed.</summary>
    static abstract void EncodeResponse(ref MessageWriter writer, TResponse response);

    /// <summary>Reads an item of the response stream, or the reply. Must copy whatever it keeps: the bytes are only valid during the call.</summary>
    /// <exception cref="InvalidMessageException">The bytes are not such a message.</exception>
    static abstract TResponse DecodeResponse(ReadOnlySpan<byte> body);
}
