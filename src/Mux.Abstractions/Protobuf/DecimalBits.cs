using System.Runtime.CompilerServices;

namespace Mux.Protobuf;

/// <summary>Reads and writes protobuf-net's bcl.Decimal: 96 bits, a sign and a scale; nothing for 0 with scale 0.</summary>
/// <remarks>
/// <code>
/// 1 lo         the lower 64 bits
/// 2 hi         the upper 32 bits
/// 3 signScale  the sign in the lowest bit, the scale in the eight above it
/// </code>
/// </remarks>
internal static class DecimalBits
{
    private const uint LowTag = (1 << 3) | (uint)WireType.Varint;
    private const uint HighTag = (2 << 3) | (uint)WireType.Varint;
    private const uint SignScaleTag = (3 << 3) | (uint)WireType.Varint;

    private const int MaxSize = 19;
    private const int MaxScale = 28;

    /// <summary>The parts in a message, before they are checked.</summary>
    public readonly record struct Parts(ulong Low, uint High, uint SignScale);

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static ref byte Write(ref byte next, uint tag, scoped in decimal value)
    {
        Span<int> bits = stackalloc int[4];
        decimal.GetBits(value, bits);
        ulong low = ((ulong)(uint)bits[1] << 32) | (uint)bits[0];
        uint high = (uint)bits[2];
        uint signScale = ((uint)value.Scale << 1) | ((uint)bits[3] >> 31);

        var run = new FieldRun(ref ValueBlock.Begin(ref next, tag), MaxSize);
        if (low != 0) run.Varint(LowTag, low);
        if (high != 0) run.Varint(HighTag, high);
        if (signScale != 0) run.Varint(SignScaleTag, signScale);
        return ref ValueBlock.End(ref next, tag, ref run.Next);
    }

    /// <returns>The number of bytes, including the length; 0 if they are not in the usual form.</returns>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int TryRead(ref readonly byte source, nint room, out decimal value)
    {
        value = 0;
        if (!ValueBlock.TryFind(in source, room, out int length)) return 0;
        var at = ValueBlock.Read(in source, length);
        ulong low = 0;
        uint high = 0;
        uint signScale = 0;
        if (at.IsAt(LowTag) && !at.TryAny(LowTag, out low)) return 0;
        if (at.IsAt(HighTag) && !at.TryVarint(HighTag, out high)) return 0;
        if (at.IsAt(SignScaleTag) && !at.TrySmall(SignScaleTag, out signScale)) return 0;
        return !at.HasMore && TryToDecimal(new Parts(low, high, signScale), out value) ? length + 1 : 0;
    }

    /// <param name="reader">Reader of this value only.</param>
    public static Parts Read(ref MessageReader reader)
    {
        ulong low = 0;
        uint high = 0;
        uint signScale = 0;
        while (reader.ReadPart(out uint tag))
        {
            switch (tag >> 3)
            {
                case LowTag >> 3:
                    low = reader.ReadUInt64(tag);
                    break;
                case HighTag >> 3:
                    high = reader.ReadUInt32(tag);
                    break;
                case SignScaleTag >> 3:
                    signScale = reader.ReadUInt32(tag);
                    break;
                default:
                    reader.Skip(tag);
                    break;
            }
        }

        return new Parts(low, high, signScale);
    }

    public static bool TryToDecimal(Parts parts, out decimal value)
    {
        byte scale = (byte)(parts.SignScale >> 1);
        bool isDecimal = scale <= MaxScale;
        value = isDecimal ? new decimal((int)parts.Low, (int)(parts.Low >> 32), (int)parts.High, (parts.SignScale & 1) != 0, scale) : 0;
        return isDecimal;
    }
}
