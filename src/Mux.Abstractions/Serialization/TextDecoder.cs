using System.ComponentModel;
using System.Runtime.CompilerServices;
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

        if (!AsciiText.IsAscii(bytes)) return Encoding.UTF8.GetString(bytes);
        return string.Create(bytes.Length, bytes, static (characters, source) => AsciiText.Widen(source, characters));
    }

    /// <summary>Reads bytes and appends them to those that the member holds already, as protobuf-net does.</summary>
    /// <param name="reader">At the value.</param>
    /// <param name="tag">The tag of the field.</param>
    /// <param name="existing">What the member holds, or null. Never changed.</param>
    public static byte[] ReadBytes(this ref MessageReader reader, uint tag, byte[]? existing)
    {
        if ((tag & 7) != (uint)WireType.Bytes) reader.ThrowWireType(tag);
        var bytes = reader.ReadBlock();
        if (existing is not { Length: > 0 }) return bytes.ToArray();
        return bytes.IsEmpty ? existing : [.. existing, .. bytes];
    }
}
