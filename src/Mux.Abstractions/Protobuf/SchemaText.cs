using System.Globalization;

namespace Mux.Protobuf;

/// <summary>
/// Reads the names for errors from one string per message: <c>hr.Employee(Id,LastName,7 Department)</c>. As a literal it costs nothing until something fails.
/// A field without a number has the next one; earlier generators wrote all numbers.
/// </summary>
internal static class SchemaText
{
    /// <summary>Formats "hr.Employee, field 2 (LastName)"; an undeclared field has no name, and number 0 is omitted.</summary>
    public static string Locate(string schema, uint field)
    {
        int open = schema.LastIndexOf('('); // a tuple's name has one, too
        if (open < 0) open = schema.Length;
        var message = schema[..open];
        if (field == 0) return message;

        var text = field.ToString(CultureInfo.InvariantCulture);
        uint number = 0;
        var rest = schema.AsSpan(open).Trim("()");
        while (!rest.IsEmpty)
        {
            int end = rest.IndexOf(',');
            var entry = (end < 0 ? rest : rest[..end]).TrimStart(' ');
            rest = end < 0 ? default : rest[(end + 1)..];
            int digits = Math.Max(entry.IndexOf(' '), 0);
            bool isNumbered = uint.TryParse(entry[..digits], NumberStyles.None, CultureInfo.InvariantCulture, out uint given);
            number = isNumbered ? given : number + 1;
            if (number == field) return $"{message}, field {text} ({entry[(isNumbered ? digits + 1 : 0)..]})";
        }

        return $"{message}, field {text}";
    }
}
