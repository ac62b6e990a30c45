using System.ComponentModel;
using System.Runtime.InteropServices;
using System.Text;

namespace Mux.Protobuf;

/// <summary>
/// Reads values of the framework that are neither numbers nor texts, for generated code. The tag says how a value is written: messages are read with a length
/// and as groups, dates and time spans of level 200 also from eight bytes, whatever the member declares. A repeated value replaces the first one; their parts
/// are not merged.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class ValueDecoder
{
    // Size of the object without its text; the second value if the text has two forms, with characters and with percent escapes.
    private const int UriSize = 64;
    private const int EscapedUriSize = 480;

    /// <summary>Reads a bcl.Guid.</summary>
    public static Guid ReadBclGuid(this ref MessageReader reader, uint tag)
    {
        if (reader.TryPass(GuidHalves.TryRead(in Next(in reader), Room(in reader, tag), out var value))) return value;
        var message = reader.EnterValue(tag);
        value = GuidHalves.Read(ref message);
        reader.Leave(in message);
        return value;
    }

    /// <summary>Reads a bcl.Decimal.</summary>
    public static decimal ReadBclDecimal(this ref MessageReader reader, uint tag)
    {
        if (reader.TryPass(DecimalBits.TryRead(in Next(in reader), Room(in reader, tag), out decimal value))) return value;
        var message = reader.EnterValue(tag);
        var parts = DecimalBits.Read(ref message);
        reader.Leave(in message);
        if (!DecimalBits.TryToDecimal(parts, out value)) reader.ThrowRange("decimal");
        return value;
    }

    /// <summary>
    /// Reads a bcl.DateTime, which says whether it is local, UTC or, usually, unspecified. Eight bytes of ticks are unspecified.
    /// </summary>
    public static DateTime ReadBclDateTime(this ref MessageReader reader, uint tag)
    {
        if (reader.TryPass(ScaledTicks.TryRead(in Next(in reader), Room(in reader, tag), out DateTime value))) return value;
        if ((tag & 7) == (uint)WireType.Fixed64)
        {
            long ticks = (long)reader.ReadFixed64();
            if (ticks == long.MinValue) return DateTime.MinValue;
            if (ticks == long.MaxValue) return DateTime.MaxValue;
            if (!ScaledTicks.TryToDateTime(ticks, DateTimeKind.Unspecified, out value)) reader.ThrowRange(nameof(DateTime));
            return value;
        }

        if (!ScaledTicks.TryToDateTime(ReadTicks(ref reader, tag), out value)) reader.ThrowRange(nameof(DateTime));
        return value;
    }

    /// <summary>Reads a bcl.TimeSpan.</summary>
    public static TimeSpan ReadBclTimeSpan(this ref MessageReader reader, uint tag)
    {
        if (reader.TryPass(ScaledTicks.TryRead(in Next(in reader), Room(in reader, tag), out TimeSpan value))) return value;
        if ((tag & 7) == (uint)WireType.Fixed64) return new TimeSpan((long)reader.ReadFixed64());
        if (!ScaledTicks.TryToTimeSpan(ReadTicks(ref reader, tag), out value)) reader.ThrowRange(nameof(TimeSpan));
        return value;
    }

    /// <summary>Reads a google.protobuf.Timestamp as UTC.</summary>
    public static DateTime ReadTimestamp(this ref MessageReader reader, uint tag)
    {
        if (reader.TryPass(SecondsAndNanos.TryRead(in Next(in reader), Room(in reader, tag), out DateTime value))) return value;
        if (!SecondsAndNanos.TryToDateTime(ReadSeconds(ref reader, tag), out value)) reader.ThrowRange(nameof(DateTime));
        return value;
    }

    /// <summary>Reads a google.protobuf.Duration.</summary>
    public static TimeSpan ReadDuration(this ref MessageReader reader, uint tag)
    {
        if (reader.TryPass(SecondsAndNanos.TryRead(in Next(in reader), Room(in reader, tag), out TimeSpan value))) return value;
        if (!SecondsAndNanos.TryToTimeSpan(ReadSeconds(ref reader, tag), out value)) reader.ThrowRange(nameof(TimeSpan));
        return value;
    }

    /// <summary>Reads a Guid from 16 bytes or from 32 or 36 characters.</summary>
    public static Guid ReadGuidText(this ref MessageReader reader, uint tag)
    {
        if ((tag & 7) != (uint)WireType.Bytes) reader.ThrowWireType(tag);
        var bytes = reader.ReadBlock();
        if (!GuidDigits.TryParse(bytes, out var value)) reader.ThrowValue($"its {bytes.Length} bytes are not a Guid: expected 16 bytes or 32 or 36 characters");
        return value;
    }

    /// <summary>Reads a decimal from up to 32 characters.</summary>
    public static decimal ReadDecimalText(this ref MessageReader reader, uint tag)
    {
        if ((tag & 7) != (uint)WireType.Bytes) reader.ThrowWireType(tag);
        var text = reader.ReadBlock();
        if (!DecimalDigits.TryParse(text, out decimal value))
        {
            reader.ThrowValue($"its {text.Length} bytes are not a decimal: expected at most {DecimalDigits.MaxLength} characters");
        }

        return value;
    }

    /// <summary>Reads a date from the number of the day.</summary>
    public static DateOnly ReadDateOnly(this ref MessageReader reader, uint tag)
    {
        int day = reader.ReadInt32(tag);
        if ((uint)day > (uint)DateOnly.MaxValue.DayNumber) reader.ThrowRange(nameof(DateOnly));
        return DateOnly.FromDayNumber(day);
    }

    /// <summary>Reads a time of day from its ticks.</summary>
    public static TimeOnly ReadTimeOnly(this ref MessageReader reader, uint tag)
    {
        long ticks = reader.ReadInt64(tag);
        if ((ulong)ticks > (ulong)TimeOnly.MaxValue.Ticks) reader.ThrowRange(nameof(TimeOnly));
        return new TimeOnly(ticks);
    }

    /// <summary>Reads an absolute or relative URI; null if it is empty.</summary>
    public static Uri? ReadUri(this ref MessageReader reader, uint tag)
    {
        var text = reader.ReadString(tag);
        if (text.Length == 0) return null;
        reader.PayForMemory(text.Contains('%') || !Ascii.IsValid(text) ? EscapedUriSize : UriSize);
        if (!Uri.TryCreate(text, UriKind.RelativeOrAbsolute, out var value)) reader.ThrowValue("its text is not a URI");
        return value;
    }

    private static ScaledTicks.Parts ReadTicks(ref MessageReader reader, uint tag)
    {
        var message = reader.EnterValue(tag);
        var parts = ScaledTicks.Read(ref message);
        reader.Leave(in message);
        return parts;
    }

    private static SecondsAndNanos.Parts ReadSeconds(ref MessageReader reader, uint tag)
    {
        var message = reader.EnterValue(tag);
        var parts = SecondsAndNanos.Read(ref message);
        reader.Leave(in message);
        return parts;
    }

    private static ref readonly byte Next(scoped in MessageReader reader) => ref MemoryMarshal.GetReference(reader.Rest);

    // A group has no length, and the fast methods do not read it.
    private static int Room(scoped in MessageReader reader, uint tag) => (tag & 7) == (uint)WireType.Bytes ? reader.Rest.Length : 0;
}
