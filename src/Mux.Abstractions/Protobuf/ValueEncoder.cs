using System.ComponentModel;
using System.Runtime.CompilerServices;

namespace Mux.Protobuf;

/// <summary>
/// Writes values of the framework that are neither numbers nor texts, for generated code, in the forms of protobuf-net's levels 200, 240 and 300. Like numbers
/// they are not checked: the code that writes them has asked for their maximum size.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class ValueEncoder
{
    /// <summary>Writes a bcl.Guid: the tag, 18 bytes and 1 for the length or 5 for the end of the group.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void BclGuid(this ref FieldRun run, uint tag, in Guid value)
    {
        run.Tag(tag);
        run.MoveTo(ref GuidHalves.Write(ref run.Next, tag, in value));
    }

    /// <summary>Writes a bcl.Decimal: the tag, up to 19 bytes and 1 for the length.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void BclDecimal(this ref FieldRun run, uint tag, in decimal value)
    {
        run.Tag(tag);
        run.MoveTo(ref DecimalBits.Write(ref run.Next, tag, in value));
    }

    /// <summary>
    /// Writes a bcl.DateTime: the tag, up to 13 bytes and 1 for the length or 5 for the end of the group. A fixed64 field holds the ticks since 1970 instead.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void BclDateTime(this ref FieldRun run, uint tag, DateTime value)
    {
        if ((tag & 7) == (uint)WireType.Fixed64)
        {
            run.Fixed(tag, (value - DateTime.UnixEpoch).Ticks);
            return;
        }

        run.Tag(tag);
        run.MoveTo(ref ScaledTicks.Write(ref run.Next, tag, value));
    }

    /// <summary>
    /// Writes a bcl.TimeSpan: the tag, up to 13 bytes and 1 for the length or 5 for the end of the group. A fixed64 field holds the ticks instead.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void BclTimeSpan(this ref FieldRun run, uint tag, TimeSpan value)
    {
        if ((tag & 7) == (uint)WireType.Fixed64)
        {
            run.Fixed(tag, value.Ticks);
            return;
        }

        run.Tag(tag);
        run.MoveTo(ref ScaledTicks.Write(ref run.Next, tag, value));
    }

    /// <summary>Writes a google.protobuf.Timestamp: the tag, up to 17 bytes and 1 for the length or 5 for the end of the group.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Timestamp(this ref FieldRun run, uint tag, DateTime value)
    {
        run.Tag(tag);
        run.MoveTo(ref SecondsAndNanos.Write(ref run.Next, tag, value));
    }

    /// <summary>Writes a google.protobuf.Duration: the tag, up to 22 bytes and 1 for the length or 5 for the end of the group.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Duration(this ref FieldRun run, uint tag, TimeSpan value)
    {
        run.Tag(tag);
        run.MoveTo(ref SecondsAndNanos.Write(ref run.Next, tag, value));
    }

    /// <summary>Writes a Guid as text: the tag, up to 36 bytes and 1 for the length.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void GuidText(this ref FieldRun run, uint tag, in Guid value)
    {
        run.Tag(tag);
        run.MoveTo(ref GuidDigits.WriteText(ref run.Next, in value));
    }

    /// <summary>Writes a Guid as bytes: the tag, up to 16 bytes and 1 for the length.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void GuidBytes(this ref FieldRun run, uint tag, in Guid value)
    {
        run.Tag(tag);
        run.MoveTo(ref GuidDigits.WriteBytes(ref run.Next, in value));
    }

    /// <summary>Writes a decimal as text: the tag, up to 31 bytes and 1 for the length.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void DecimalText(this ref FieldRun run, uint tag, in decimal value)
    {
        run.Tag(tag);
        run.MoveTo(ref DecimalDigits.Write(ref run.Next, in value));
    }

    /// <summary>Writes the number of a day, counted from the first of the year 1: the tag and up to 4 bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void DateOnly(this ref FieldRun run, uint tag, DateOnly value) => run.Varint(tag, value.DayNumber);

    /// <summary>Writes the ticks since midnight: the tag and up to 6 bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void TimeOnly(this ref FieldRun run, uint tag, TimeOnly value) => run.Varint(tag, value.Ticks);
}
