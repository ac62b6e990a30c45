using System.Text;
using Mux.Description.Reading;

namespace Mux.Description.Proto.Printing;

/// <summary>Writes values as the text of a file has them.</summary>
internal static class ProtoLiteral
{
    public static string Text(string value)
    {
        var text = new StringBuilder("\"");
        foreach (char c in value)
        {
            if (c is '"' or '\\') text.Append('\\').Append(c);
            else if (c == '\n') text.Append("\\n");
            else if (c is < ' ' or '\u007f') Octal(text, c);
            else text.Append(c);
        }

        return text.Append('"').ToString();
    }

    /// <summary>Writes the default of a field, which descriptors have as text. That of bytes has escapes.</summary>
    public static string Default(FieldKind kind, string value) => kind switch
    {
        FieldKind.String => Text(value),
        FieldKind.Bytes => Escaped(value),
        _ => value,
    };

    private static string Escaped(string value)
    {
        var text = new StringBuilder("\"");
        for (int i = 0; i < value.Length; i++)
        {
            if (value[i] == '\\' && i + 1 < value.Length) text.Append('\\').Append(value[++i]);
            else if (value[i] is '"' or '\\') text.Append('\\').Append(value[i]);
            else if (value[i] is < ' ' or '\u007f') Octal(text, value[i]);
            else text.Append(value[i]);
        }

        return text.Append('"').ToString();
    }

    /// <summary>Writes a type of a value that is no message and no enum.</summary>
    public static string Scalar(FieldKind kind) => kind.ToString().ToLowerInvariant();

    /// <summary>Writes names that fields may not have.</summary>
    /// <param name="names">The names.</param>
    /// <param name="isEdition">True if they are words; older languages have texts.</param>
    public static string Names(IEnumerable<string> names, bool isEdition) =>
        string.Join(", ", isEdition ? names.Where(NameRules.IsWord) : names.Select(Text));

    /// <param name="ranges">Numbers.</param>
    /// <param name="greatest">The greatest number, which has a word.</param>
    public static string Ranges(IEnumerable<ProtoRange> ranges, int greatest) => string.Join(", ", ranges.Select(range =>
        range.First == range.Last ? $"{range.First}" : $"{range.First} to {(range.Last == greatest ? "max" : $"{range.Last}")}"));

    private static void Octal(StringBuilder text, char c) =>
        text.Append('\\').Append((char)('0' + (c >> 6))).Append((char)('0' + ((c >> 3) & 7))).Append((char)('0' + (c & 7)));
}
