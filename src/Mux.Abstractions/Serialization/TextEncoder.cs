using System.ComponentModel;
using System.Runtime.CompilerServices;
using System.Text;

namespace Mux.Serialization;

/// <summary>Writes strings and byte arrays for generated code.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class TextEncoder
{
    // Up to here the length of ASCII fits into one byte.
    private const int ShortLength = 127;

    // Field numbers below 2,048: two bytes.
    private const uint MaxShortTag = (1 << 14) - 1;
    private const int ShortTagSize = 2;

    private const int MaxTagSize = 5;
    private const int MaxLengthSize = 5;
    private const int MaxBytesPerChar = 3;

    /// <summary>Writes a string as UTF-8; a surrogate without its other half becomes U+FFFD.</summary>
    /// <remarks>A leaf for short ASCII: whatever needs a call is left to the end, so that no register has to be saved.</remarks>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void WriteString(this ref MessageWriter writer, uint tag, string value)
    {
        if (value.Length <= ShortLength && tag <= MaxShortTag && writer.Room >= ShortTagSize + 1 + value.Length)
        {
            ref byte next = ref writer.Next;
            uint last = tag;
            if (tag >= 0x80)
            {
                next = (byte)(tag | 0x80);
                next = ref Unsafe.Add(ref next, 1);
                last = tag >> 7;
            }

            next = (byte)last;
            Unsafe.Add(ref next, 1) = (byte)value.Length;
            next = ref Unsafe.Add(ref next, 2);
            if (AsciiText.TryNarrow(value, ref next))
            {
                writer.AdvanceTo(ref Unsafe.Add(ref next, value.Length));
                return;
            }
        }

        WriteAny(ref writer, tag, value);
    }

    /// <summary>Writes bytes.</summary>
    public static void WriteBytes(this ref MessageWriter writer, uint tag, ReadOnlySpan<byte> value)
    {
        WriteHeader(ref writer, tag, value.Length);
        writer.Write(value);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void WriteAny(ref MessageWriter writer, uint tag, string value)
    {
        if (value.Length <= ShortLength)
        {
            int mark = writer.BeginBlock(tag);
            writer.Advance(Encoding.UTF8.GetBytes(value, writer.GetSpan(MaxBytesPerChar * value.Length)));
            writer.EndBlock(mark);
            return;
        }

        // Counting first costs less than moving a long text or holding three times its space.
        int length = Encoding.UTF8.GetByteCount(value);
        WriteHeader(ref writer, tag, length);
        writer.Advance(Encoding.UTF8.GetBytes(value, writer.GetSpan(length)));
    }

    private static void WriteHeader(ref MessageWriter writer, uint tag, int length)
    {
        var run = writer.BeginFields(MaxTagSize + MaxLengthSize);
        run.Tag(tag);
        run.Value((uint)length);
        writer.EndFields(run);
    }
}
