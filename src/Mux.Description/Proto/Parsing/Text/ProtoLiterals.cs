using System.Globalization;
using System.Text;

namespace Mux.Description.Proto.Parsing.Text;

/// <summary>Values of tokens, and values as descriptors write them.</summary>
internal static class ProtoLiterals
{
    public static bool TryInteger(string text, ulong max, out ulong value)
    {
        value = 0;
        bool isHex = text.Length > 1 && text[0] == '0' && text[1] is 'x' or 'X';
        uint numberBase = isHex ? 16u : text[0] == '0' ? 8u : 10u;
        for (int i = isHex ? 2 : 0; i < text.Length; i++)
        {
            uint digit = (uint)Characters.Value(text[i]);
            if (digit >= numberBase || value > (max - digit) / numberBase || digit > max) return false;
            value = (value * numberBase) + digit;
        }

        return true;
    }

    public static double Float(string text) =>
        double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out double value) ? value : double.PositiveInfinity;

    /// <summary>Writes a number with as few digits as give the same number.</summary>
    public static string Text(double value)
    {
        if (Special(value) is { } special) return special;
        var text = value.ToString("G15", CultureInfo.InvariantCulture);
        return Exponent(Float(text) == value ? text : value.ToString("G17", CultureInfo.InvariantCulture));
    }

    public static string Text(float value)
    {
        if (Special(value) is { } special) return special;
        var text = value.ToString("G6", CultureInfo.InvariantCulture);
        return Exponent((float)Float(text) == value ? text : value.ToString("G9", CultureInfo.InvariantCulture));
    }

    /// <summary>Writes bytes as the descriptor of a default has them.</summary>
    public static string Escape(byte[] bytes)
    {
        var text = new StringBuilder(bytes.Length);
        foreach (byte value in bytes)
        {
            _ = value switch
            {
                (byte)'\n' => text.Append("\\n"),
                (byte)'\r' => text.Append("\\r"),
                (byte)'\t' => text.Append("\\t"),
                (byte)'"' or (byte)'\'' or (byte)'\\' => text.Append('\\').Append((char)value),
                >= (byte)' ' and <= (byte)'~' => text.Append((char)value),
                _ => text.Append('\\').Append(Convert.ToString(value, 8).PadLeft(3, '0')),
            };
        }

        return text.ToString();
    }

    private static string? Special(double value) =>
        double.IsNaN(value) ? "nan" : double.IsInfinity(value) ? value > 0 ? "inf" : "-inf" : value == 0 ? 1 / value < 0 ? "-0" : "0" : null;

    private static string Exponent(string text) => text.Replace('E', 'e');
}
