using System.Buffers.Text;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Mux.Protobuf;

/// <summary>Reads and writes a decimal as text with its scale, such as 1.50. Also reads an exponent and a plus sign.</summary>
internal static class DecimalDigits
{
    /// <summary>Maximum number of characters to read: one more than is ever written.</summary>
    public const int MaxLength = 32;

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static ref byte Write(ref byte next, scoped in decimal value)
    {
        Utf8Formatter.TryFormat(value, MemoryMarshal.CreateSpan(ref Unsafe.Add(ref next, 1), MaxLength - 1), out int length);
        next = (byte)length;
        return ref Unsafe.Add(ref next, 1 + length);
    }

    /// <returns>The number of bytes, including the length; 0 if they are not a decimal.</returns>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int TryRead(ref readonly byte source, nint room, out decimal value)
    {
        value = 0;
        if (!ValueBlock.TryFind(in source, room, out int length)) return 0;
        var bytes = MemoryMarshal.CreateReadOnlySpan(in Unsafe.Add(ref Unsafe.AsRef(in source), 1), length);
        return TryParse(bytes, out value) ? length + 1 : 0;
    }

    public static bool TryParse(ReadOnlySpan<byte> text, out decimal value)
    {
        value = 0;
        return text.Length <= MaxLength && Utf8Parser.TryParse(text, out value, out int consumed) && consumed == text.Length;
    }
}
