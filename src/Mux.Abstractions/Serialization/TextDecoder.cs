using System.ComponentModel;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;

namespace Mux.Serialization;

/// <summary>Reads strings and byte arrays for generated code; their lengths are checked against the bytes present before anything is allocated.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class TextDecoder
{
    /// <summary>Reads a string; bytes that are no UTF-8 become U+FFFD.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static string ReadString(this ref MessageReader reader, uint tag)
    {
        if ((tag & 7) != (uint)WireType.Bytes) reader.ThrowWireType(tag);
        var bytes = reader.ReadBlock();
        return AsciiText.TryCreate(in MemoryMarshal.GetReference(bytes), bytes.Length) ?? Encoding.UTF8.GetString(bytes);
    }

    /// <summary>Reads bytes.</summary>
    public static byte[] ReadBytes(this ref MessageReader reader, uint tag)
    {
        if ((tag & 7) != (uint)WireType.Bytes) reader.ThrowWireType(tag);
        return OwnedBytes.CopyOf(reader.ReadBlock());
    }

    /// <summary>Reads bytes that are appended to those that the member holds already, as protobuf-net does.</summary>
    /// <param name="reader">At the value.</param>
    /// <param name="tag">The tag of the field.</param>
    /// <param name="existing">What the member holds, or null. Never changed.</param>
    /// <param name="further">Takes the bytes if the member holds some: they are appended behind the last field of the message.</param>
    /// <returns>What the member holds from now on.</returns>
    public static byte[] ReadBytes(this ref MessageReader reader, uint tag, byte[]? existing, ref ItemBuffer<byte> further)
    {
        if (existing is not { Length: > 0 }) return reader.ReadBytes(tag);
        Append(ref reader, tag, ref further);
        return existing;
    }

    /// <inheritdoc cref="ReadBytes(ref MessageReader, uint, byte[], ref ItemBuffer{byte})"/>
    public static Memory<byte> ReadBytes(this ref MessageReader reader, uint tag, Memory<byte> existing, ref ItemBuffer<byte> further)
    {
        if (existing.IsEmpty) return reader.ReadBytes(tag);
        Append(ref reader, tag, ref further);
        return existing;
    }

    /// <inheritdoc cref="ReadBytes(ref MessageReader, uint, byte[], ref ItemBuffer{byte})"/>
    public static ReadOnlyMemory<byte> ReadBytes(this ref MessageReader reader, uint tag, ReadOnlyMemory<byte> existing, ref ItemBuffer<byte> further)
    {
        if (existing.IsEmpty) return reader.ReadBytes(tag);
        Append(ref reader, tag, ref further);
        return existing;
    }

    /// <inheritdoc cref="ReadBytes(ref MessageReader, uint, byte[], ref ItemBuffer{byte})"/>
    public static ArraySegment<byte> ReadBytes(this ref MessageReader reader, uint tag, ArraySegment<byte> existing, ref ItemBuffer<byte> further)
    {
        if (existing.Count == 0) return reader.ReadBytes(tag);
        Append(ref reader, tag, ref further);
        return existing;
    }

    private static void Append(ref MessageReader reader, uint tag, ref ItemBuffer<byte> further)
    {
        if ((tag & 7) != (uint)WireType.Bytes) reader.ThrowWireType(tag);
        var bytes = reader.ReadBlock();
        bytes.CopyTo(further.Extend(bytes.Length));
    }
}
