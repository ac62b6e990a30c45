using System.ComponentModel;
using Mux.Serialization;

namespace Mux.Contracts;

/// <summary>
/// A piece of a byte stream: <see cref="Stream"/> and <c>PipeReader</c> arguments and results are sent as chunks. Boundaries of chunks have no meaning.
/// </summary>
/// <param name="Memory">The bytes; valid until the next chunk is requested.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly record struct ByteChunk(ReadOnlyMemory<byte> Memory)
{
    /// <summary>Writes the bytes unchanged.</summary>
    public static void Encode(ref MessageWriter writer, ByteChunk chunk) => writer.Write(chunk.Memory.Span);

    /// <summary>Copies the bytes.</summary>
    public static ByteChunk Decode(ReadOnlySpan<byte> body) => new(OwnedBytes.CopyOf(body));
}
