using System.Globalization;
using System.Text;

namespace Mux.Generators.Describing;

/// <summary>Converts descriptors to C#.</summary>
internal static class DescriptorLiteral
{
    /// <summary>
    /// Gets bytes as a C# expression of type ReadOnlySpan of byte, which the compiler places in the data of the assembly. A literal is a quarter of the
    /// length, but holds UTF-8 only.
    /// </summary>
    public static string Of(EquatableArray<byte> bytes)
    {
        var text = new StringBuilder(bytes.Count * 2);
        if (bytes.Any(static value => value > 0x7F))
        {
            text.Append("new byte[] { ");
            for (int i = 0; i < bytes.Count; i++) text.Append(i == 0 ? string.Empty : ", ").Append(bytes[i]);
            return text.Append(" }").ToString();
        }

        text.Append('"');
        foreach (byte value in bytes) Escape(text, (char)value);
        return text.Append("\"u8").ToString();
    }

    private static void Escape(StringBuilder text, char c)
    {
        if (c is '"' or '\\') text.Append('\\').Append(c);
        else if (c is >= ' ' and <= '~') text.Append(c);
        else if (c is >= '\a' and <= '\r') text.Append('\\').Append("abtnvfr"[c - '\a']);
        else text.Append("\\u00").Append(((int)c).ToString("X2", CultureInfo.InvariantCulture));
    }
}
