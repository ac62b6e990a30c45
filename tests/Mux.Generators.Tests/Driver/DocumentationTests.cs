using System.Text.RegularExpressions;
using Mux.Generators.Tests.Vectors;

namespace Mux.Generators.Tests.Driver;

/// <summary>What docs/contracts.md says of messages is proved by what the page of its proofs names.</summary>
public sealed partial class DocumentationTests
{
    [Fact]
    public void Every_row_about_messages_has_its_proof()
    {
        var page = Read("docs/contracts.md");
        var messages = page[page.IndexOf("\n## Messages", StringComparison.Ordinal)..page.IndexOf("\n## Differences", StringComparison.Ordinal)];
        var rows = Tables(messages).SelectMany(static table => table.Rows).Select(static row => Link().Replace(row[0], "$1")).Where(static row => row.Length > 0).ToList();
        Assert.NotEmpty(rows);
        var proved = Tables(Proofs()).SelectMany(static table => table.Rows).Select(static row => row[0]).ToHashSet();
        Assert.All(rows, row => Assert.Contains(row, proved));
    }

    [Fact]
    public void Every_proof_names_vectors_or_says_why_it_has_none()
    {
        Assert.All(Tables(Proofs()), static table => Assert.Equal(["row", "proof"], table.Columns));
        Assert.All(Tables(Proofs()).SelectMany(static table => table.Rows), static row =>
        {
            if (!row[^1].StartsWith("none: ", StringComparison.Ordinal)) Assert.All(row[^1].Split(", "), static id => Assert.Matches(VectorId(), id));
        });
    }

    [Fact]
    public void Every_vector_that_it_names_is_there_and_every_contract_of_vectors_is_named()
    {
        var contracts = Vector.All.Select(static vector => vector.Id.Split('/')[0]).ToHashSet();
        var named = VectorId().Matches(Proofs()).Where(id => contracts.Contains(id.Groups[1].Value)).ToList();
        Assert.All(named, static id => Assert.Contains(Vector.All, vector => Regex.IsMatch(vector.Id, $"^{id.Value.Replace("\\*", ".*", StringComparison.Ordinal)}$")));
        Assert.Equal(contracts.Order(), named.Select(static id => id.Groups[1].Value).Distinct().Order());
    }

    [Fact]
    public void Every_test_that_it_names_is_there()
    {
        var named = TestClass().Matches(Proofs()).Select(static name => name.Groups[1].Value + ".cs").Distinct().ToList();
        Assert.NotEmpty(named);
        var files = Directory.EnumerateFiles(Path.Combine(Repository.Find(), "tests"), "*Tests.cs", SearchOption.AllDirectories).Select(Path.GetFileName).ToHashSet();
        Assert.All(named, name => Assert.Contains(name, files));
    }

    private static string Proofs() => Read("tests/Mux.Generators.Tests/Vectors/README.md");

    private static string Read(string path) => File.ReadAllText(Path.Combine(Repository.Find(), path));

    private static IEnumerable<(string[] Columns, List<string[]> Rows)> Tables(string page)
    {
        foreach (Match table in Table().Matches(page))
        {
            var lines = table.Value.TrimEnd().Split('\n').Select(static line => line.Trim('|').Split('|', StringSplitOptions.TrimEntries)).ToList();
            yield return (lines[0], lines[2..]);
        }
    }

    // A star, escaped in Markdown, stands for any text.
    [GeneratedRegex(@"(?<![\w./])([A-Z]\w+)/(?:[\w-]|\\\*)+")]
    private static partial Regex VectorId();

    [GeneratedRegex(@"\[([^\]]+)\]\(#[^)]*\)")]
    private static partial Regex Link();

    [GeneratedRegex(@"`(\w+Tests)`")]
    private static partial Regex TestClass();

    [GeneratedRegex(@"^\|.*\n\|[-|]+\|\n(?:\|.*\n)+", RegexOptions.Multiline)]
    private static partial Regex Table();
}
