using System.Globalization;
using System.Text.Json;

namespace Mux.Description.Json;

/// <summary>Reads the messages that have their own form.</summary>
internal static class WellKnownParser
{
    private const int MaxText = 64;
    private const string DateForm = "yyyy-MM-ddTHH:mm:ss.FFFFFFFK";
    private const DateTimeStyles Dates = DateTimeStyles.AdjustToUniversal;
    private const NumberStyles Decimals = NumberStyles.AllowLeadingSign | NumberStyles.AllowDecimalPoint | NumberStyles.AllowExponent;

    public static void Read(MessageParser parser, ref Utf8JsonReader reader, JsonType type)
    {
        switch (type.WellKnown)
        {
            case WellKnown.Any:
                AnyParser.Read(parser, ref reader);
                break;
            case WellKnown.Value:
                ReadValue(parser, ref reader, type);
                break;
            case WellKnown.Wrapper or WellKnown.Struct or WellKnown.ListValue:
                parser.ReadField(ref reader, type.Fields[0]);
                break;
            case WellKnown.FieldMask:
                FieldMaskText.Read(parser.ReadText(ref reader, "field masks such as 'name,address.street'"), parser.Buffer);
                break;
            case WellKnown.Timestamp:
                const string timestamps = "timestamps such as '2026-11-27T01:30:00.5Z' of the years 1 to 9999, with up to nine digits after the point";
                var text = parser.ReadText(ref reader, timestamps);
                if (!TimestampText.TryParse(text, out long seconds, out int nanos)) Refuse(text, timestamps);
                WriteSeconds(parser.Buffer, seconds, nanos);
                break;
            case WellKnown.Duration:
                const string durations = "durations such as '1.5s' from -315576000000s to 315576000000s, with up to nine digits after the point";
                text = parser.ReadText(ref reader, durations);
                if (!DurationText.TryParse(text, out seconds, out nanos)) Refuse(text, durations);
                WriteSeconds(parser.Buffer, seconds, nanos);
                break;
            default:
                ReadBcl(parser, ref reader, type.WellKnown);
                break;
        }
    }

    private static void ReadValue(MessageParser parser, ref Utf8JsonReader reader, JsonType type)
    {
        int slot = reader.TokenType switch
        {
            JsonTokenType.Null => 0,
            JsonTokenType.Number => 1,
            JsonTokenType.String => 2,
            JsonTokenType.True or JsonTokenType.False => 3,
            JsonTokenType.StartObject => 4,
            _ => 5,
        };
        parser.ReadField(ref reader, type.Fields[slot]);
    }

    private static void ReadBcl(MessageParser parser, ref Utf8JsonReader reader, WellKnown form)
    {
        string allowed = form switch
        {
            WellKnown.DateTime => "dates such as '2026-11-27T01:30:00.0000000', also with 'Z', of the years 1 to 9999",
            WellKnown.TimeSpan => "time spans such as '1.02:03:04.5000000' of 64 bits of ticks",
            WellKnown.Guid => "Guids such as '00112233-4455-6677-8899-aabbccddeeff'",
            _ => "decimals such as '1.50' of 96 bits with up to 28 digits after the point",
        };
        var text = form == WellKnown.Decimal && reader.TokenType == JsonTokenType.Number ? reader.ValueSpan : parser.ReadText(ref reader, allowed);
        Span<char> chars = stackalloc char[MaxText];
        bool isRead = text.Length <= MaxText;
        if (isRead)
        {
            for (int i = 0; i < text.Length; i++) chars[i] = (char)text[i];
            chars = chars[..text.Length];
        }

        switch (form)
        {
            case WellKnown.DateTime when DateTime.TryParseExact(chars, DateForm, CultureInfo.InvariantCulture, Dates, out var date) && isRead:
                BclTicks.Write(parser.Buffer, date);
                return;
            case WellKnown.TimeSpan when TimeSpan.TryParseExact(chars, "c", CultureInfo.InvariantCulture, out var span) && isRead:
                BclTicks.Write(parser.Buffer, span);
                return;
            case WellKnown.Guid when Guid.TryParseExact(chars, "D", out var guid) && isRead:
                BclBits.Write(parser.Buffer, guid);
                return;
            case WellKnown.Decimal when decimal.TryParse(chars, Decimals, CultureInfo.InvariantCulture, out decimal number) && isRead:
                BclBits.Write(parser.Buffer, number);
                return;
        }

        Refuse(text, allowed);
    }

    private static void WriteSeconds(MessageBuffer to, long seconds, int nanos)
    {
        if (seconds != 0)
        {
            to.WriteVarint(1 << 3);
            to.WriteVarint((ulong)seconds);
        }

        if (nanos == 0) return;
        to.WriteVarint(2 << 3);
        to.WriteVarint((ulong)nanos);
    }

    private static void Refuse(ReadOnlySpan<byte> text, string allowed) => JsonFault.Throw($"is {JsonPath.Quote(text)}; allowed are {allowed}");
}
