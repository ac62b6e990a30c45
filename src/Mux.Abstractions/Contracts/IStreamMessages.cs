using System.ComponentModel;
using Mux.Serialization;

namespace Mux.Contracts;

/// <summary>The messages of a method with a stream in at least one direction: all that a caller needs.</summary>
/// <typeparam name="TRequest">The arguments other than the stream, which are sent first; <see cref="MuxUnit"/> for none.</typeparam>
/// <typeparam name="TItem">An item of the request stream; <see cref="ByteChunk"/> for bytes, <see cref="MuxUnit"/> if there is no request stream.</typeparam>
/// <typeparam name="TResponse">An item of the response stream, or the one reply; <see cref="ByteChunk"/> for bytes.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IStreamMessages<TRequest, TItem, TResponse> : IMethodMessages<TRequest, TResponse>
{
    /// <summary>Writes an item of the request stream. If it throws, the call is cancelled.</summary>
    static abstract void EncodeItem(ref MessageWriter writer, TItem item);

    /// <summary>Reads an item of the request stream. Must copy what it keeps: the bytes are valid only during the call.</summary>
    /// <exception cref="InvalidMessageException">The bytes are not such a message.</exception>
    static abstract TItem DecodeItem(ReadOnlySpan<byte> body);
}
