using System.Buffers.Text;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Mux.Serialization;

/// <summary>A decimal as text with its scale, such as 1.50; read with an exponent and a plus, too.</summary>
internal static class DecimalDigits
{
    /// <summary>What is read at most: one more than is ever written.</summary>
    public const int MaxLength = 32;

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static ref byte Write(ref byte next, scoped in decimal value)
    {
        Utf8Formatter.TryFormat(value, MemoryMarshal.CreateSpan(ref Unsafe.Add(ref next, 1), MaxLength - 1), out int length);
        next = (byte)length;
        return ref Unsafe.Add(ref next, 1 + length);
    }

    /// <returns>How many bytes there are, the length included; 0 if they are no decimal.</returns>
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
