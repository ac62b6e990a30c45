using System.Text;

namespace Mux.Description.Tests.Comparing;

/// <summary>What buf says, as buf.txt has it.</summary>
/// <param name="Version">The version of buf.</param>
/// <param name="Categories">Its rules, with the categories that have them.</param>
/// <param name="OfEdits">The edits, with the rules that they break in any category.</param>
internal sealed record BufVerdicts(string Version, SortedDictionary<string, string[]> Categories, OrderedDictionary<string, SortedSet<string>> OfEdits)
{
    public const string File = "tests/Mux.Description.Tests/Comparing/buf.txt";

    public static BufVerdicts Parse(string text)
    {
        var verdicts = new BufVerdicts(text[..text.IndexOf('\n', StringComparison.Ordinal)], new(StringComparer.Ordinal), new(StringComparer.Ordinal));
        var parts = text.Split("\n\n");
        foreach (var (name, rules) in Lines(parts[1])) verdicts.Categories.Add(name, rules);
        foreach (var (name, rules) in Lines(parts[2])) verdicts.OfEdits.Add(name, new(rules, StringComparer.Ordinal));
        return verdicts;
    }

    public override string ToString()
    {
        var text = new StringBuilder($"{Version}\n\n");
        foreach (var (name, categories) in Categories) text.Append($"{name}: {string.Join(' ', categories)}\n");
        text.Append('\n');
        foreach (var (name, rules) in OfEdits) text.Append($"{name}: {string.Join(' ', rules)}".TrimEnd()).Append('\n');
        return text.ToString();
    }

    private static IEnumerable<(string Name, string[] Rules)> Lines(string part) =>
        part.Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(static line => line.Split(':')).Select(static line => (line[0], line[1].Split(' ', StringSplitOptions.RemoveEmptyEntries)));
}
