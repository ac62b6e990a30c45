using Mux.Serialization;

namespace Mux.Contracts;

/// <summary>
/// Some bytes of a stream of bytes: what <see cref="Stream"/> and <c>PipeReader</c> arguments and results travel as. Where a stream is cut into chunks means
/// nothing.
/// </summary>
/// <param name="Memory">Valid until the next chunk is asked for.</param>
public readonly record struct ByteChunk(ReadOnlyMemory<byte> Memory)
{
    /// <summary>Writes the bytes as they are.</summary>
    public static void Encode(ref MessageWriter writer, ByteChunk chunk) => writer.Write(chunk.Memory.Span);

    /// <summary>Copies the bytes.</summary>
    public static ByteChunk Decode(ReadOnlySpan<byte> body) => new(OwnedBytes.CopyOf(body));
}
