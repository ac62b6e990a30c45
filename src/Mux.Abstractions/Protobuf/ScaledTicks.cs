using System.Runtime.CompilerServices;

namespace Mux.Protobuf;

/// <summary>
/// Reads and writes protobuf-net's bcl.DateTime and bcl.TimeSpan: a number of days, hours and so on down to ticks of 100 ns, in the coarsest unit that is
/// exact. A date counts from 1970.
/// </summary>
/// <remarks>
/// <code>
/// 1 value  zigzag: number of units
/// 2 scale  0 days, 1 hours, 2 minutes, 3 seconds, 4 milliseconds, 5 ticks; 15 for the smallest (value -1) and the largest (1)
/// 3 kind   of a date: 0 unspecified, 1 UTC, 2 local; read and never written
/// </code>
/// </remarks>
internal static class ScaledTicks
{
    private const uint ValueTag = (1 << 3) | (uint)WireType.Varint;
    private const uint ScaleTag = (2 << 3) | (uint)WireType.Varint;
    private const uint KindTag = (3 << 3) | (uint)WireType.Varint;

    private const int Days = 0;
    private const int Hours = 1;
    private const int Minutes = 2;
    private const int Seconds = 3;
    private const int Milliseconds = 4;
    private const int Ticks = 5;
    private const int MinMax = 15;

    private const int MaxSize = 13;

    /// <summary>The parts in a message, before they are checked.</summary>
    public readonly record struct Parts(long Value, int Scale, int Kind);

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static ref byte Write(ref byte next, uint tag, TimeSpan value)
    {
        if (value == TimeSpan.MinValue) return ref Write(ref next, tag, -1, MinMax);
        if (value == TimeSpan.MaxValue) return ref Write(ref next, tag, 1, MinMax);
        return ref WriteTicks(ref next, tag, value.Ticks);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static ref byte Write(ref byte next, uint tag, DateTime value)
    {
        if (value == DateTime.MinValue) return ref Write(ref next, tag, -1, MinMax);
        if (value == DateTime.MaxValue) return ref Write(ref next, tag, 1, MinMax);
        return ref WriteTicks(ref next, tag, (value - DateTime.UnixEpoch).Ticks);
    }

    /// <returns>The number of bytes, including the length; 0 if they are not in the usual form.</returns>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int TryRead(ref readonly byte source, nint room, out DateTime value)
    {
        int size = TryReadParts(in source, room, out var parts);
        return TryToDateTime(parts, out value) ? size : 0;
    }

    /// <inheritdoc cref="TryRead(ref readonly byte, nint, out DateTime)"/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int TryRead(ref readonly byte source, nint room, out TimeSpan value)
    {
        int size = TryReadParts(in source, room, out var parts);
        return TryToTimeSpan(parts, out value) ? size : 0;
    }

    /// <param name="reader">Reader of this value only.</param>
    public static Parts Read(ref MessageReader reader)
    {
        long value = 0;
        int scale = 0;
        int kind = 0;
        while (reader.ReadPart(out uint tag))
        {
            switch (tag >> 3)
            {
                case ValueTag >> 3:
                    if (tag != ValueTag) reader.ThrowWireType(tag); // unlike other numbers, read from varints only
                    value = reader.ReadZigZagInt64(tag);
                    break;
                case ScaleTag >> 3:
                    scale = reader.ReadInt32(tag);
                    break;
                case KindTag >> 3:
                    kind = reader.ReadInt32(tag);
                    if (kind is < 0 or > (int)DateTimeKind.Local) reader.ThrowRange(nameof(DateTimeKind));
                    break;
                default:
                    reader.Skip(tag);
                    break;
            }
        }

        return new Parts(value, scale, kind);
    }

    public static bool TryToTimeSpan(Parts parts, out TimeSpan value)
    {
        if (parts.Scale == MinMax)
        {
            value = parts.Value < 0 ? TimeSpan.MinValue : TimeSpan.MaxValue;
            return parts.Value is 1 or -1;
        }

        bool isTicks = TryToTicks(parts, out long ticks);
        value = new TimeSpan(ticks);
        return isTicks;
    }

    public static bool TryToDateTime(Parts parts, out DateTime value)
    {
        if (parts.Scale == MinMax)
        {
            value = parts.Value < 0 ? DateTime.MinValue : DateTime.MaxValue;
            return parts.Value is 1 or -1;
        }

        if (TryToTicks(parts, out long ticks)) return TryToDateTime(ticks, (DateTimeKind)parts.Kind, out value);
        value = default;
        return false;
    }

    /// <param name="ticks">Ticks since 1970.</param>
    /// <param name="kind">Kind of the date.</param>
    /// <param name="value">The date.</param>
    public static bool TryToDateTime(long ticks, DateTimeKind kind, out DateTime value)
    {
        // As an unsigned number, a sum that is negative or beyond 63 bits is larger than any date.
        ulong total = (ulong)(DateTime.UnixEpoch.Ticks + ticks);
        bool isDate = total <= (ulong)DateTime.MaxValue.Ticks;
        value = isDate ? new DateTime((long)total, kind) : default;
        return isDate;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int TryReadParts(ref readonly byte source, nint room, out Parts parts)
    {
        parts = default;
        if (!ValueBlock.TryFind(in source, room, out int length)) return 0;
        var at = ValueBlock.Read(in source, length);
        ulong value = 0;
        uint scale = 0;
        uint kind = 0;
        if (at.IsAt(ValueTag) && !at.TryAny(ValueTag, out value)) return 0;
        if (at.IsAt(ScaleTag) && !at.TrySmall(ScaleTag, out scale)) return 0;
        if (at.IsAt(KindTag) && (!at.TrySmall(KindTag, out kind) || kind > (uint)DateTimeKind.Local)) return 0;
        parts = new Parts((long)(value >> 1) ^ -(long)(value & 1), (int)scale, (int)kind);
        return at.HasMore ? 0 : length + 1;
    }

    private static bool TryToTicks(Parts parts, out long ticks)
    {
        long unit = parts.Scale switch
        {
            Days => TimeSpan.TicksPerDay,
            Hours => TimeSpan.TicksPerHour,
            Minutes => TimeSpan.TicksPerMinute,
            Seconds => TimeSpan.TicksPerSecond,
            Milliseconds => TimeSpan.TicksPerMillisecond,
            Ticks => 1,
            _ => 0,
        };
        return Math.BigMul(parts.Value, unit, out ticks) == ticks >> 63 && unit != 0;
    }

    // Begins with the finest unit: a date with ticks is the common case, and takes only one division.
    private static ref byte WriteTicks(ref byte next, uint tag, long value)
    {
        if (!TryDivide(ref value, TimeSpan.TicksPerMillisecond)) return ref Write(ref next, tag, value, Ticks);
        if (!TryDivide(ref value, 1000)) return ref Write(ref next, tag, value, Milliseconds);
        if (!TryDivide(ref value, 60)) return ref Write(ref next, tag, value, Seconds);
        if (!TryDivide(ref value, 60)) return ref Write(ref next, tag, value, Minutes);
        int scale = TryDivide(ref value, 24) ? Days : Hours;
        return ref Write(ref next, tag, value, scale);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool TryDivide(ref long value, long divisor)
    {
        long quotient = value / divisor;
        if (quotient * divisor != value) return false;
        value = quotient;
        return true;
    }

    private static ref byte Write(ref byte next, uint tag, long value, int scale)
    {
        var run = new FieldRun(ref ValueBlock.Begin(ref next, tag), MaxSize);
        if (value != 0) run.ZigZag(ValueTag, value);
        if (scale != 0) run.Varint(ScaleTag, scale);
        return ref ValueBlock.End(ref next, tag, ref run.Next);
    }
}
