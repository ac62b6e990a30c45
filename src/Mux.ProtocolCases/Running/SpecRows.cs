using System.Globalization;
using Mux.ProtocolCases.Cases;

namespace Mux.ProtocolCases.Running;

/// <summary>
/// The tables of bad inputs and of their proofs, parsed from PROTOCOL.md itself, which this assembly contains as a resource: no second table could differ
/// from it.
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
        var tables = text[text.IndexOf("## 11. Bad inputs", StringComparison.Ordinal)..].Split('\n').Select(CellsOf).ToList();
        var proofs = tables.Where(cells => cells.Length == 2).ToDictionary(cells => cells[0], cells => cells[1], StringComparer.Ordinal);
        return [.. tables.Where(cells => cells.Length == 3).Select(cells => Read(cells, proofs.GetValueOrDefault(cells[0], "")))];
    }

    /// <summary>Gets the cells of a numbered row; none for any other line.</summary>
    private static string[] CellsOf(string line)
    {
        string[] cells = [.. line.Trim().Trim('|').Split('|').Select(cell => cell.Trim())];
        return line.StartsWith('|') && int.TryParse(cells[0], NumberStyles.None, CultureInfo.InvariantCulture, out _) ? cells : [];
    }

    private static SpecRow Read(string[] cells, string proof)
    {
        var cases = new List<string>();
        var tests = new List<string>();
        var parts = proof.Split('`'); // every second part is a name
        for (int at = 1; at < parts.Length; at += 2)
        {
            if (parts[at].Contains('.', StringComparison.Ordinal)) tests.Add(parts[at]);
            else if (parts[at - 1] == " to ") cases.AddRange(Between(parts[at - 2], parts[at]));
            else cases.Add(parts[at]);
        }

        return new SpecRow(int.Parse(cells[0], CultureInfo.InvariantCulture), cells[1], cells[2], [.. cases.Distinct(StringComparer.Ordinal)], tests, proof);
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
