using System.Globalization;

namespace Mux.Serialization;

/// <summary>
/// Reads the one string per message by which errors get their names: <c>hr.Employee(1 Id, 2 LastName)</c>. A literal costs nothing
/// until something fails.
/// </summary>
internal static class SchemaText
{
    /// <summary>"hr.Employee, field 2 (LastName)"; a field that the message does not declare has no name, and number 0 is left out.</summary>
    public static string Locate(string schema, uint field)
    {
        int open = schema.IndexOf('(', StringComparison.Ordinal);
        if (open < 0) open = schema.Length;
        var message = schema[..open];
        if (field == 0) return message;

        var number = field.ToString(CultureInfo.InvariantCulture);
        foreach (var range in schema.AsSpan(open).Trim("()").Split(", "))
        {
            var entry = schema.AsSpan(open).Trim("()")[range];
            if (entry.Length > number.Length && entry.StartsWith(number, StringComparison.Ordinal) && entry[number.Length] == ' ')
                return $"{message}, field {number} ({entry[(number.Length + 1)..]})";
        }

        return $"{message}, field {number}";
    }
}
