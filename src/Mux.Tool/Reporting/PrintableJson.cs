using System.Buffers;
using System.Globalization;
using System.Text;

namespace Mux.Tool.Reporting;

/// <summary>
/// JSON for people: emoji as they are, which the encoder of .NET escapes, and escapes for characters that change what a
/// terminal shows, which it lets through.
/// </summary>
internal static class PrintableJson
{
    private const int EscapeLength = 6; // \uXXXX

    public static byte[] Of(ReadOnlySpan<byte> json)
    {
        var text = new ArrayBufferWriter<byte>(json.Length + 16);
        Span<byte> utf8 = stackalloc byte[4];
        while (!json.IsEmpty)
        {
            if (json[0] == (byte)'\\' && TryReadPair(json, out var pair))
            {
                if (PrintableText.IsPrintable(pair)) text.Write(utf8[..pair.EncodeToUtf8(utf8)]);
                else text.Write(json[..(2 * EscapeLength)]);
                json = json[(2 * EscapeLength)..];
                continue;
            }

            int length = json[0] == (byte)'\\' && json.Length > 1 ? 2 : 1;
            if (length == 1 && Rune.DecodeFromUtf8(json, out var rune, out length) == OperationStatus.Done
                && !rune.IsAscii && !PrintableText.IsPrintable(rune))
                WriteEscape(text, rune);
            else text.Write(json[..length]);
            json = json[length..];
        }

        return text.WrittenSpan.ToArray();
    }

    private static bool TryReadPair(ReadOnlySpan<byte> json, out Rune rune)
    {
        rune = default;
        return TryReadUnit(json, out char high) && TryReadUnit(json[EscapeLength..], out char low)
            && Rune.TryCreate(high, low, out rune);
    }

    private static bool TryReadUnit(ReadOnlySpan<byte> json, out char unit)
    {
        unit = default;
        if (json.Length < EscapeLength || json[0] != (byte)'\\' || json[1] != (byte)'u') return false;
        var digits = json[2..EscapeLength];
        if (!ushort.TryParse(digits, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out ushort value))
            return false;
        unit = (char)value;
        return true;
    }

    private static void WriteEscape(ArrayBufferWriter<byte> text, Rune rune)
    {
        Span<char> units = stackalloc char[2];
        foreach (char unit in units[..rune.EncodeToUtf16(units)])
            text.Write(Encoding.ASCII.GetBytes(string.Create(CultureInfo.InvariantCulture, $"\\u{(int)unit:X4}")));
    }
}
