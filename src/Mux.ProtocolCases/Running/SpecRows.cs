using System.Globalization;
using Mux.ProtocolCases.Cases;

namespace Mux.ProtocolCases.Running;

/// <summary>
/// The table of bad inputs, parsed from PROTOCOL.md itself, which this assembly contains as a resource: no second table could differ from it.
/// </summary>
internal static class SpecRows
{
    private static readonly HashSet<string> s_cases = BadInputCatalogue.All.Concat(PayloadCases.All).Select(badInput => badInput.Name)
        .ToHashSet(StringComparer.Ordinal);
    private static readonly Dictionary<string, int> s_numbers = new(StringComparer.Ordinal);

    static SpecRows()
    {
        All = Read();
        foreach (var row in All)
        {
            foreach (var name in row.Cases) s_numbers.TryAdd(name, row.Number);
        }
    }

    public static IReadOnlyList<SpecRow> All { get; }

    /// <summary>Gets the first row that names a case; null if the case is not in the table.</summary>
    public static int? NumberOf(BadInputCase badInput) => s_numbers.TryGetValue(badInput.Name, out int number) ? number : null;

    private static List<SpecRow> Read()
    {
        using var stream = typeof(SpecRows).Assembly.GetManifestResourceStream("PROTOCOL.md")!;
        using var reader = new StreamReader(stream);
        var text = reader.ReadToEnd();
        var rows = new List<SpecRow>();
        foreach (var line in text[text.IndexOf("## 11. Bad inputs", StringComparison.Ordinal)..].Split('\n'))
        {
            string[] cells = [.. line.Trim().Trim('|').Split('|').Select(cell => cell.Trim())];
            if (cells.Length == 4 && int.TryParse(cells[0], NumberStyles.None, CultureInfo.InvariantCulture, out int number)) rows.Add(Read(number, cells));
        }

        return rows;
    }

    private static SpecRow Read(int number, string[] cells)
    {
        var cases = new List<string>();
        var tests = new List<string>();
        var parts = cells[3].Split('`'); // every second part is a name
        for (int at = 1; at < parts.Length; at += 2)
        {
            if (parts[at].Contains('.', StringComparison.Ordinal)) tests.Add(parts[at]);
            else if (parts[at - 1] == " to ") cases.AddRange(Between(parts[at - 2], parts[at]));
            else cases.Add(parts[at]);
        }

        return new SpecRow(number, cells[1], cells[2], [.. cases.Distinct(StringComparer.Ordinal)], tests, cells[3]);
    }

    /// <summary>Gets the names of a range, whose ends differ in a digit.</summary>
    private static IEnumerable<string> Between(string first, string last)
    {
        int at = first.AsSpan().CommonPrefixLength(last);
        for (char digit = first[at]; digit <= last[at]; digit++)
        {
            var name = $"{first[..at]}{digit}{first[(at + 1)..]}";
            if (s_cases.Contains(name)) yield return name;
        }
    }
}
