using System.ComponentModel;

namespace Mux.Contracts;

/// <summary>
/// Descriptors as generated code has them: literals of UTF-8, in which a byte above 127 takes two. The compiler takes a
/// literal as one thing, and an array of bytes as a thousand.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class DescriptorText
{
    /// <summary>Stands before a byte that has lost its highest bit.</summary>
    internal const byte High = 0x7E;

    /// <summary>Stands before a byte that would otherwise be one of these two.</summary>
    internal const byte Plain = 0x7F;

    /// <summary>Gets the bytes of a descriptor.</summary>
    public static byte[] Read(ReadOnlySpan<byte> text)
    {
        var bytes = new byte[text.Length];
        int count = 0;
        for (int i = 0; i < text.Length; i++)
        {
            byte value = text[i];
            if (value == High) value = (byte)(text[++i] | 0x80);
            else if (value == Plain) value = text[++i];
            bytes[count++] = value;
        }

        return bytes[..count];
    }
}
