using System.ComponentModel;
using Mux.Serialization;

namespace Mux.Contracts;

/// <summary>Pieces of byte streams, which are sent unchanged.</summary>
/// <param name="name">Name of the stream in errors.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class ByteChunkCodec(string name) : MessageCodec<ByteChunk>(name)
{
    /// <inheritdoc/>
    public override void Encode(ref MessageWriter writer, ByteChunk message) => ByteChunk.Encode(ref writer, message);

    /// <inheritdoc/>
    public override ByteChunk Decode(ReadOnlySpan<byte> body) => ByteChunk.Decode(body);
}
