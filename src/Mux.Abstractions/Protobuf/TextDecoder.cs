using System.ComponentModel;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;
using System.Text.Unicode;
using Mux.Serialization;

namespace Mux.Protobuf;

/// <summary>
/// Reads strings and byte arrays for generated code. Their lengths are checked against the bytes present before anything is allocated.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class TextDecoder
{
    /// <summary>Reads a string; invalid UTF-8 becomes U+FFFD.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static string ReadString(this ref MessageReader reader, uint tag)
    {
        if ((tag & 7) != (uint)WireType.Bytes) reader.ThrowWireType(tag);
        var bytes = reader.ReadBlock();
        return AsciiText.TryCreate(in MemoryMarshal.GetReference(bytes), bytes.Length) ?? Encoding.UTF8.GetString(bytes);
    }

    /// <summary>Reads a string of an imported message; invalid UTF-8 is rejected, as by protobuf.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static string ReadText(this ref MessageReader reader, uint tag)
    {
        if ((tag & 7) != (uint)WireType.Bytes) reader.ThrowWireType(tag);
        var bytes = reader.ReadBlock();
        if (AsciiText.TryCreate(in MemoryMarshal.GetReference(bytes), bytes.Length) is { } text) return text;
        if (!Utf8.IsValid(bytes)) reader.ThrowValue("its text is not UTF-8: send UTF-8, or declare the field as bytes");
        return Encoding.UTF8.GetString(bytes);
    }

    /// <summary>Reads bytes.</summary>
    public static byte[] ReadBytes(this ref MessageReader reader, uint tag)
    {
        if ((tag & 7) != (uint)WireType.Bytes) reader.ThrowWireType(tag);
        return OwnedBytes.CopyOf(reader.ReadBlock());
    }

    /// <summary>Reads bytes and appends them to those that the member already has, as protobuf-net does.</summary>
    /// <param name="reader">Positioned at the value.</param>
    /// <param name="tag">The tag of the field.</param>
    /// <param name="existing">Current value of the member, or null. Never changed.</param>
    /// <param name="further">Collects the bytes if the member already has some: they are appended after the last field of the message.</param>
    /// <returns>New value of the member.</returns>
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
