using System.Runtime.CompilerServices;

namespace Mux.Protobuf;

/// <summary>Reads and writes google.protobuf.Timestamp, which counts from 1970, and google.protobuf.Duration.</summary>
/// <remarks>
/// <code>
/// 1 seconds  of a timestamp rounded down; of a duration rounded towards zero
/// 2 nanos    the rest: of a timestamp never negative, of a duration with the sign of the duration
/// </code>
/// Other forms are read too; fractions of a tick of 100 ns are lost.
/// </remarks>
internal static class SecondsAndNanos
{
    private const uint SecondsTag = (1 << 3) | (uint)WireType.Varint;
    private const uint NanosTag = (2 << 3) | (uint)WireType.Varint;

    private const int NanosPerTick = 100;
    private const int MaxSize = 22;

    /// <summary>The parts in a message, before they are checked.</summary>
    public readonly record struct Parts(long Seconds, int Nanos);

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static ref byte Write(ref byte next, uint tag, DateTime value)
    {
        // Ticks of a date are never negative, so the division rounds down.
        var (seconds, ticks) = Math.DivRem(value.Ticks, TimeSpan.TicksPerSecond);
        return ref Write(ref next, tag, seconds - DateTime.UnixEpoch.Ticks / TimeSpan.TicksPerSecond, (int)ticks * NanosPerTick);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static ref byte Write(ref byte next, uint tag, TimeSpan value)
    {
        var (seconds, ticks) = Math.DivRem(value.Ticks, TimeSpan.TicksPerSecond);
        return ref Write(ref next, tag, seconds, (int)ticks * NanosPerTick);
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
        long seconds = 0;
        int nanos = 0;
        while (reader.ReadPart(out uint tag))
        {
            switch (tag >> 3)
            {
                case SecondsTag >> 3:
                    seconds = reader.ReadInt64(tag);
                    break;
                case NanosTag >> 3:
                    nanos = reader.ReadInt32(tag);
                    break;
                default:
                    reader.Skip(tag);
                    break;
            }
        }

        return new Parts(seconds, nanos);
    }

    public static bool TryToDateTime(Parts parts, out DateTime value)
    {
        if (TryToTicks(parts, out long ticks)) return ScaledTicks.TryToDateTime(ticks, DateTimeKind.Utc, out value);
        value = default;
        return false;
    }

    public static bool TryToTimeSpan(Parts parts, out TimeSpan value)
    {
        bool isSpan = TryToTicks(parts, out long ticks);
        value = new TimeSpan(ticks);
        return isSpan;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int TryReadParts(ref readonly byte source, nint room, out Parts parts)
    {
        parts = default;
        if (!ValueBlock.TryFind(in source, room, out int length)) return 0;
        var at = ValueBlock.Read(in source, length);
        ulong seconds = 0;
        ulong nanos = 0;
        if (at.IsAt(SecondsTag) && !at.TryAny(SecondsTag, out seconds)) return 0;
        if (at.IsAt(NanosTag) && (!at.TryAny(NanosTag, out nanos) || (long)nanos != (int)nanos)) return 0;
        parts = new Parts((long)seconds, (int)nanos);
        return at.HasMore ? 0 : length + 1;
    }

    private static bool TryToTicks(Parts parts, out long ticks)
    {
        const long maxSeconds = long.MaxValue / TimeSpan.TicksPerSecond;
        ticks = 0;
        if (parts.Seconds is < -maxSeconds or > maxSeconds) return false;
        long whole = parts.Seconds * TimeSpan.TicksPerSecond;
        long rest = parts.Nanos / NanosPerTick;
        ticks = whole + rest;
        return rest < 0 ? ticks < whole : ticks >= whole;
    }

    private static ref byte Write(ref byte next, uint tag, long seconds, int nanos)
    {
        var run = new FieldRun(ref ValueBlock.Begin(ref next, tag), MaxSize);
        if (seconds != 0) run.Varint(SecondsTag, seconds);
        if (nanos != 0) run.Varint(NanosTag, nanos);
        return ref ValueBlock.End(ref next, tag, ref run.Next);
    }
}
