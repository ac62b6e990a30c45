using System.Globalization;
using System.Text;

namespace Mux.Generators.Describing;

/// <summary>Converts descriptors to C#.</summary>
internal static class DescriptorLiteral
{
    // As DescriptorText of the runtime has them.
    private const byte High = 0x7E;
    private const byte Plain = 0x7F;

    /// <summary>
    /// Gets bytes as a C# expression for a span of bytes, which the compiler places in the data of the assembly. A literal holds UTF-8 only, but is
    /// one thing to the compiler, where an array is an expression for each byte: so the few high bytes take two.
    /// </summary>
    public static string Of(EquatableArray<byte> bytes)
    {
        var text = new StringBuilder(bytes.Count * 2);
        bool isText = bytes.All(static value => value <= 0x7F);
        text.Append(isText ? "\"" : "DescriptorText.Read(\"");
        foreach (byte value in bytes)
        {
            if (!isText && value > 0x7F) Escape(text, (char)High);
            else if (!isText && value is High or Plain) Escape(text, (char)Plain);
            Escape(text, (char)(value & 0x7F));
        }

        return text.Append(isText ? "\"u8" : "\"u8)").ToString();
    }

    private static void Escape(StringBuilder text, char c)
    {
        if (c is '"' or '\\') text.Append('\\').Append(c);
        else if (c is >= ' ' and <= '~') text.Append(c);
        else if (c is >= '\a' and <= '\r') text.Append('\\').Append("abtnvfr"[c - '\a']);
        else text.Append("\\u00").Append(((int)c).ToString("X2", CultureInfo.InvariantCulture));
    }
}
