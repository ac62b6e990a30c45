using System.Globalization;

namespace Mux.Description.Json;

/// <summary>Writes the messages that have their own form.</summary>
internal static class WellKnownFormatter
{
    private const int MaxText = 40;

    public static void Write(MessageFormatter to, JsonType type, ReadOnlySpan<byte> bytes)
    {
        Span<byte> text = stackalloc byte[MaxText];
        int length = 0;
        switch (type.WellKnown)
        {
            case WellKnown.Timestamp or WellKnown.Duration:
                var (seconds, nanos) = ((long)Number(type, bytes, 0), (int)Number(type, bytes, 1));
                length = type.WellKnown == WellKnown.Timestamp ? TimestampText.Format(seconds, nanos, text) : DurationText.Format(seconds, nanos, text);
                break;
            case WellKnown.DateTime:
                var date = BclTicks.ToDateTime(Number(type, bytes, 0), Number(type, bytes, 1), Number(type, bytes, 2));
                date.TryFormat(text, out length, "O", CultureInfo.InvariantCulture);
                break;
            case WellKnown.TimeSpan:
                BclTicks.ToTimeSpan(Number(type, bytes, 0), Number(type, bytes, 1)).TryFormat(text, out length, "c", CultureInfo.InvariantCulture);
                break;
            case WellKnown.Guid:
                BclBits.ToGuid(Number(type, bytes, 0), Number(type, bytes, 1)).TryFormat(text, out length);
                break;
            case WellKnown.Decimal:
                decimal number = BclBits.ToDecimal(Number(type, bytes, 0), Number(type, bytes, 1), Number(type, bytes, 2));
                number.TryFormat(text, out length, default, CultureInfo.InvariantCulture);
                break;
            case WellKnown.Any:
                AnyFormatter.Write(to, bytes);
                return;
            case WellKnown.FieldMask:
                FieldMaskText.Write(to.Json, bytes);
                return;
            case WellKnown.Value:
                CheckValue(type, bytes);
                if (!to.TryWriteLone(type, bytes))
                    JsonFault.Throw("is a google.protobuf.Value without a kind; allowed are null, a number, a text, true, false, an object and a list");
                return;
            default:
                WriteContent(to, type, bytes);
                return;
        }

        to.Json.WriteStringValue(text[..length]);
    }

    // A wrapper, an object or a list: what their only field has.
    private static void WriteContent(MessageFormatter to, JsonType type, ReadOnlySpan<byte> bytes)
    {
        if (to.TryWriteLone(type, bytes)) return;
        var field = type.Fields[0];
        if (type.WellKnown == WellKnown.Struct)
        {
            to.Json.WriteStartObject();
            to.Json.WriteEndObject();
        }
        else if (type.WellKnown == WellKnown.ListValue)
        {
            to.Json.WriteStartArray();
            to.Json.WriteEndArray();
        }
        else if (Scalars.IsNumber(field.Kind)) to.WriteNumber(field, 0);
        else to.Json.WriteStringValue(default(ReadOnlySpan<byte>));
    }

    private static void CheckValue(JsonType type, ReadOnlySpan<byte> bytes)
    {
        var scan = new WireScan(bytes);
        bool isFinite = true;
        uint tag;
        while ((tag = scan.ReadTag()) != 0)
        {
            if (tag == type.Fields[1].Tag) isFinite = double.IsFinite(BitConverter.UInt64BitsToDouble(scan.ReadNumber(1)));
            else
            {
                scan.Skip(tag);
                isFinite |= type.Find(tag >> 3)?.Accepts(tag) == true;
            }
        }

        if (!isFinite) JsonFault.Throw("is a google.protobuf.Value with a number that is not finite, which JSON does not have");
    }

    // The last number of a field, as its type has it; 0 if it is absent.
    private static ulong Number(JsonType type, ReadOnlySpan<byte> bytes, int slot)
    {
        var field = type.Fields[slot];
        ulong raw = 0;
        var scan = new WireScan(bytes);
        uint tag;
        while ((tag = scan.ReadTag()) != 0)
        {
            if (tag == field.Tag) raw = scan.ReadNumber(tag & 7);
            else scan.Skip(tag);
        }

        return (ulong)Scalars.Normalize(field.Kind, raw);
    }
}
