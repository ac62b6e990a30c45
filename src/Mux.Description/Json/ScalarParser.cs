using System.Buffers;
using System.Buffers.Text;
using System.Text;
using System.Text.Json;
using System.Text.Unicode;

namespace Mux.Description.Json;

/// <summary>Reads the values of fields that are no messages.</summary>
/// <param name="options">How to read.</param>
/// <param name="to">Where the values are written.</param>
internal sealed class ScalarParser(MessageJsonOptions options, MessageBuffer to)
{
    private const int Kept = 1 << 16;

    private static readonly SearchValues<byte> s_base64 = SearchValues.Create("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_"u8);

    private readonly char[] _name = new char[6 * 255]; // the longest name, with each character as \u0000
    private byte[] _text = new byte[256];

    public static string NameOf(JsonTokenType token) => token switch
    {
        JsonTokenType.StartObject => "an object",
        JsonTokenType.StartArray => "a list",
        JsonTokenType.String => "a text",
        JsonTokenType.Number => "a number",
        JsonTokenType.True => "true",
        JsonTokenType.False => "false",
        _ => "null",
    };

    public void Clear()
    {
        if (_text.Length > Kept) _text = new byte[256];
    }

    /// <summary>Reads a value, and writes it behind its tag.</summary>
    /// <param name="reader">At the value.</param>
    /// <param name="field">Its field.</param>
    /// <param name="canBeAbsent">True if a value of zero need not be written.</param>
    /// <returns>False if it was not written.</returns>
    public bool TryRead(ref Utf8JsonReader reader, JsonField field, bool canBeAbsent)
    {
        if (field.Kind == FieldKind.String) return TryReadString(ref reader, canBeAbsent);
        if (field.Kind == FieldKind.Bytes) return TryReadBytes(ref reader, canBeAbsent);
        if (!TryReadNumber(ref reader, field, out long value) || (canBeAbsent && value == 0)) return false;
        WriteNumber(field.Kind, value);
        return true;
    }

    /// <summary>Reads the key of a map.</summary>
    public void ReadKey(ref Utf8JsonReader reader, JsonField key)
    {
        if (key.Kind == FieldKind.String)
        {
            WriteText(ref reader);
            return;
        }

        var text = Unescape(ref reader);
        long value;
        if (key.Kind != FieldKind.Bool)
        {
            if (!NumberParser.TryParse(key.Kind, text, out value))
                JsonFault.Throw($"has a key that is no such number; allowed are {NumberParser.RangeOf(key.Kind)}");
        }
        else
        {
            value = text.SequenceEqual("true"u8) ? 1 : 0;
            if (value == 0 && !text.SequenceEqual("false"u8)) JsonFault.Throw("has another key than allowed; allowed are 'true' and 'false'");
        }

        WriteNumber(key.Kind, value);
    }

    /// <summary>Reads the name of a field.</summary>
    /// <returns>False if it is longer than any.</returns>
    public bool TryReadName(ref Utf8JsonReader reader, out ReadOnlySpan<char> name)
    {
        name = default;
        if (reader.ValueSpan.Length > _name.Length) return false;
        try
        {
            name = _name.AsSpan(0, reader.CopyString(_name));
            return true;
        }
        catch (InvalidOperationException)
        {
            ThrowText();
            return false;
        }
    }

    /// <summary>Reads a text that is valid until the next one is read.</summary>
    public ReadOnlySpan<byte> ReadText(ref Utf8JsonReader reader, string allowed)
    {
        if (reader.TokenType != JsonTokenType.String) JsonFault.Throw($"is {NameOf(reader.TokenType)}; allowed are {allowed}");
        return Unescape(ref reader);
    }

    private static void ThrowText() => JsonFault.Throw("has a text that is not UTF-8, or half of a surrogate pair; allowed are whole characters");

    private ReadOnlySpan<byte> Unescape(ref Utf8JsonReader reader)
    {
        if (!reader.ValueIsEscaped) return reader.ValueSpan;
        if (_text.Length < reader.ValueSpan.Length) _text = new byte[reader.ValueSpan.Length];
        return _text.AsSpan(0, Copy(ref reader, _text));
    }

    private static int Copy(ref Utf8JsonReader reader, Span<byte> destination)
    {
        try
        {
            return reader.CopyString(destination);
        }
        catch (InvalidOperationException)
        {
            ThrowText();
            return 0;
        }
    }

    private void WriteText(ref Utf8JsonReader reader)
    {
        int start = to.Begin();
        to.Advance(CopyText(ref reader, to.Room(reader.ValueSpan.Length)));
        to.End(start);
    }

    private static int CopyText(ref Utf8JsonReader reader, Span<byte> destination)
    {
        if (reader.ValueIsEscaped) return Copy(ref reader, destination);
        if (!Utf8.IsValid(reader.ValueSpan)) ThrowText();
        reader.ValueSpan.CopyTo(destination);
        return reader.ValueSpan.Length;
    }

    private bool TryReadString(ref Utf8JsonReader reader, bool canBeAbsent)
    {
        if (reader.TokenType != JsonTokenType.String) JsonFault.Throw($"is {NameOf(reader.TokenType)}; allowed are texts");
        if (canBeAbsent && reader.ValueSpan.IsEmpty) return false;
        WriteText(ref reader);
        return true;
    }

    // Both alphabets, with or without '=' at the end.
    private bool TryReadBytes(ref Utf8JsonReader reader, bool canBeAbsent)
    {
        const string allowed = "base64 with '+' and '/' or '-' and '_'";
        var text = ReadText(ref reader, allowed).TrimEnd((byte)'=');
        if (canBeAbsent && text.IsEmpty) return false;
        int start = to.Begin();
        int padded = (text.Length + 3) & ~3;
        var room = to.Room(padded)[..padded];
        text.CopyTo(room);
        room[text.Length..].Fill((byte)'=');
        room.Replace((byte)'-', (byte)'+');
        room.Replace((byte)'_', (byte)'/');
        bool isBase64 = text.IndexOfAnyExcept(s_base64) < 0 && Base64.DecodeFromUtf8InPlace(room, out int size) == OperationStatus.Done && AdvanceBy(size);
        if (!isBase64) JsonFault.Throw($"is another text; allowed is {allowed}");
        to.End(start);
        return true;
    }

    private bool AdvanceBy(int size)
    {
        to.Advance(size);
        return true;
    }

    private bool TryReadNumber(ref Utf8JsonReader reader, JsonField field, out long value)
    {
        var kind = field.Kind;
        value = 0;
        if (kind == FieldKind.Enum) return TryReadEnum(ref reader, field.Enum, out value);
        if (kind == FieldKind.Bool)
        {
            if (reader.TokenType is not (JsonTokenType.True or JsonTokenType.False))
                JsonFault.Throw($"is {NameOf(reader.TokenType)}; allowed are true and false");
            value = reader.TokenType == JsonTokenType.True ? 1 : 0;
            return true;
        }

        if (reader.TokenType is not (JsonTokenType.Number or JsonTokenType.String))
            JsonFault.Throw($"is {NameOf(reader.TokenType)}; allowed are {NumberParser.RangeOf(kind)}");
        var text = reader.TokenType == JsonTokenType.Number ? reader.ValueSpan : Unescape(ref reader);
        if (!NumberParser.TryParse(kind, text, out value)) JsonFault.Throw($"is {JsonPath.Quote(text)}; allowed are {NumberParser.RangeOf(kind)}");
        return true;
    }

    private bool TryReadEnum(ref Utf8JsonReader reader, JsonEnum type, out long value)
    {
        value = 0;
        switch (reader.TokenType)
        {
            case JsonTokenType.Null when type.IsNull:
                return true;
            case JsonTokenType.Number:
                if (!NumberParser.TryParse(FieldKind.Enum, reader.ValueSpan, out value))
                    JsonFault.Throw($"is {JsonPath.Quote(reader.ValueSpan)}; allowed are names of the enum and {NumberParser.RangeOf(FieldKind.Enum)}");
                return true;
            case JsonTokenType.String:
                bool isKnown = TryReadName(ref reader, out var name) && type.TryGetNumber(name, out int number) && Set(out value, number);
                if (!isKnown && !options.IgnoreUnknown)
                {
                    var known = NearName.Describe(Encoding.UTF8.GetString(reader.ValueSpan), type.Names);
                    JsonFault.Throw($"is {JsonPath.Quote(reader.ValueSpan)}; allowed are names of the enum and their numbers: {known}");
                }

                return isKnown;
            default:
                JsonFault.Throw($"is {NameOf(reader.TokenType)}; allowed are names of the enum and their numbers");
                return false;
        }
    }

    private static bool Set(out long value, int number)
    {
        value = number;
        return true;
    }

    private void WriteNumber(FieldKind kind, long value)
    {
        switch (kind)
        {
            case FieldKind.Double or FieldKind.Fixed64 or FieldKind.SFixed64:
                to.WriteFixed64((ulong)value);
                break;
            case FieldKind.Float or FieldKind.Fixed32 or FieldKind.SFixed32:
                to.WriteFixed32((uint)value);
                break;
            case FieldKind.SInt32 or FieldKind.SInt64:
                to.WriteVarint((ulong)((value << 1) ^ (value >> 63)));
                break;
            default:
                to.WriteVarint((ulong)value);
                break;
        }
    }
}
