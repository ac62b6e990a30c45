using System.Globalization;

namespace Mux.Protobuf;

/// <summary>
/// Reads the names for errors from one string per message: <c>hr.Employee(1 Id, 2 LastName)</c>. As a literal it costs nothing until something fails.
/// </summary>
internal static class SchemaText
{
    private const string Separator = ", ";

    /// <summary>Formats "hr.Employee, field 2 (LastName)"; an undeclared field has no name, and number 0 is omitted.</summary>
    public static string Locate(string schema, uint field)
    {
        int open = schema.IndexOf('(', StringComparison.Ordinal);
        if (open < 0) open = schema.Length;
        var message = schema[..open];
        if (field == 0) return message;

        var number = field.ToString(CultureInfo.InvariantCulture);
        var rest = schema.AsSpan(open).Trim("()");
        while (!rest.IsEmpty)
        {
            int end = rest.IndexOf(Separator);
            var entry = end < 0 ? rest : rest[..end];
            rest = end < 0 ? default : rest[(end + Separator.Length)..];
            if (entry.Length > number.Length && entry.StartsWith(number, StringComparison.Ordinal) && entry[number.Length] == ' ')
                return $"{message}, field {number} ({entry[(number.Length + 1)..]})";
        }

        return $"{message}, field {number}";
    }
}
