using System.Text;

namespace Mux.Description.Proto.Parsing.Text;

/// <summary>Reads what a text between quotes means.</summary>
internal static class StringLiterals
{
    private const string Names = "abfnrtv";
    private const string Values = "\a\b\f\n\r\t\v";

    private static readonly UTF8Encoding s_strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    /// <summary>Appends the bytes of a token, whose escapes the lexer has checked.</summary>
    public static void Append(MemoryStream bytes, string token)
    {
        int end = token.Length > 1 && token[token.Length - 1] == token[0] ? token.Length - 1 : token.Length;
        int plain = 1;
        for (int i = 1; i < end; i++)
        {
            if (token[i] != '\\' || i + 1 >= end) continue;
            Write(bytes, token.Substring(plain, i - plain));
            i = AppendEscape(bytes, token, i + 1, end);
            plain = i + 1;
        }

        if (plain < end) Write(bytes, token.Substring(plain, end - plain));
    }

    /// <returns>The text; null if the bytes are not UTF-8.</returns>
    public static string? Decode(byte[] bytes)
    {
        try
        {
            return s_strict.GetString(bytes);
        }
        catch (ArgumentException)
        {
            return null;
        }
    }

    private static int AppendEscape(MemoryStream bytes, string token, int index, int end)
    {
        switch (token[index])
        {
            case >= '0' and <= '7':
                return AppendNumber(bytes, token, index, Math.Min(end, index + 3), 8);
            case 'x' or 'X':
                return AppendNumber(bytes, token, index + 1, Math.Min(end, index + 3), 16);
            case 'u' or 'U':
                return AppendPoint(bytes, token, index, end);
            default:
                int name = Names.IndexOf(token[index]);
                bytes.WriteByte((byte)(name < 0 ? token[index] : Values[name]));
                return index;
        }
    }

    private static int AppendNumber(MemoryStream bytes, string token, int first, int limit, int numberBase)
    {
        int value = 0, index = first;
        for (; index < limit && Characters.Value(token[index]) < numberBase; index++) value = (value * numberBase) + Characters.Value(token[index]);
        bytes.WriteByte((byte)value);
        return index - 1;
    }

    private static int AppendPoint(MemoryStream bytes, string token, int index, int end)
    {
        if (!TryPoint(token, index, end, out int point, out int next)) return index;
        if (point is >= 0xD800 and < 0xDC00 && next + 1 < end && token[next] == '\\' && token[next + 1] is 'u' or 'U'
            && TryPoint(token, next + 1, end, out int low, out int after) && low is >= 0xDC00 and < 0xE000)
        {
            point = 0x10000 + ((point - 0xD800) << 10) + (low - 0xDC00);
            next = after;
        }

        if (point is >= 0xD800 and < 0xE000)
        {
            // Half of a surrogate pair is not a character: the bytes are not UTF-8, which fails where a text is needed.
            bytes.WriteByte((byte)(0xE0 | (point >> 12)));
            bytes.WriteByte((byte)(0x80 | ((point >> 6) & 0x3F)));
            bytes.WriteByte((byte)(0x80 | (point & 0x3F)));
        }
        else
        {
            Write(bytes, char.ConvertFromUtf32(point));
        }

        return next - 1;
    }

    private static bool TryPoint(string token, int index, int end, out int point, out int next)
    {
        int digits = token[index] == 'u' ? 4 : 8;
        point = 0;
        next = index + 1;
        if (next + digits > end) return false;
        for (; digits > 0; digits--, next++)
        {
            if (!Characters.IsHexDigit(token[next])) return false;
            point = (point << 4) | Characters.Value(token[next]);
        }

        return point is >= 0 and <= 0x10FFFF;
    }

    private static void Write(MemoryStream bytes, string text)
    {
        if (text.Length == 0) return;
        var encoded = Encoding.UTF8.GetBytes(text);
        bytes.Write(encoded, 0, encoded.Length);
    }
}
