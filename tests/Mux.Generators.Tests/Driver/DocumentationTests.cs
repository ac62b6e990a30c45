using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Mux.Generators.Tests.Vectors;

namespace Mux.Generators.Tests.Driver;

/// <summary>The contracts that the documentation shows are taken, and what it says of messages is proved by what it names.</summary>
public sealed partial class DocumentationTests
{
    // What a project has that is not worth showing.
    private const string Project = """
        global using System.Collections.Generic;
        global using System.IO;
        global using System.Threading;
        global using System.Threading.Tasks;
        global using Mux;
        using System.Runtime.Serialization;
        [DataContract] public class Entry { }
        [DataContract] public class Query { }
        [DataContract] public class Match { }
        [DataContract] public class Order { }
        [DataContract] public class Cart { }
        [DataContract] public class Throttled { }
        [DataContract] public class OutOfStock { }
        """;

    [Fact]
    public void Every_contract_in_it_compiles()
    {
        var contracts = Block().Matches(Page()).Select(static block => block.Groups[1].Value).Where(static code => code.Contains("[MuxService(", StringComparison.Ordinal)).ToList();
        Assert.Equal(4, contracts.Count);

        var run = GeneratorRun.Of([Project, .. contracts]);
        Assert.Empty(run.Diagnostics);
        Assert.Empty(run.Output.GetDiagnostics(TestContext.Current.CancellationToken).Where(static diagnostic => diagnostic.Severity == DiagnosticSeverity.Error));
    }

    [Fact]
    public void Every_row_about_messages_names_the_vectors_that_prove_it_or_the_tests_that_do()
    {
        var rows = Tables().Where(static table => table.IsAboutMessages || table.Columns[^1] == "vectors").ToList();
        Assert.All(rows, static table => Assert.Equal("vectors", table.Columns[^1]));
        Assert.All(rows.SelectMany(static table => table.Rows), static row =>
        {
            if (!row[^1].StartsWith("none: ", StringComparison.Ordinal)) Assert.All(row[^1].Split(", "), static id => Assert.Matches(VectorId(), id));
        });
    }

    [Fact]
    public void Every_vector_that_it_names_is_there_and_every_contract_of_vectors_is_named()
    {
        var contracts = Vector.All.Select(static vector => vector.Id.Split('/')[0]).ToHashSet();
        var named = VectorId().Matches(Page()).Where(id => contracts.Contains(id.Groups[1].Value)).ToList();
        Assert.All(named, static id => Assert.Contains(Vector.All, vector => Regex.IsMatch(vector.Id, $"^{id.Value.Replace("\\*", ".*", StringComparison.Ordinal)}$")));
        Assert.Equal(contracts.Order(), named.Select(static id => id.Groups[1].Value).Distinct().Order());
    }

    [Fact]
    public void Every_test_that_it_names_is_there()
    {
        var named = TestClass().Matches(Page()).Select(static name => name.Groups[1].Value + ".cs").Distinct().ToList();
        Assert.NotEmpty(named);
        var files = Directory.EnumerateFiles(Path.Combine(Repository.Find(), "tests"), "*Tests.cs", SearchOption.AllDirectories).Select(Path.GetFileName).ToHashSet();
        Assert.All(named, name => Assert.Contains(name, files));
    }

    private static string Page() => File.ReadAllText(Path.Combine(Repository.Find(), "docs", "contracts.md"));

    private static IEnumerable<(bool IsAboutMessages, string[] Columns, List<string[]> Rows)> Tables()
    {
        var page = Page();
        int messages = page.IndexOf("\n## Messages", StringComparison.Ordinal), differences = page.IndexOf("\n## Differences", StringComparison.Ordinal);
        foreach (Match table in Table().Matches(page))
        {
            var lines = table.Value.TrimEnd().Split('\n').Select(static line => line.Trim('|').Split('|', StringSplitOptions.TrimEntries)).ToList();
            yield return (table.Index > messages && table.Index < differences, lines[0], lines[2..]);
        }
    }

    // A star, escaped in Markdown, stands for any text.
    [GeneratedRegex(@"(?<![\w./])([A-Z]\w+)/(?:[\w-]|\\\*)+")]
    private static partial Regex VectorId();

    [GeneratedRegex(@"`(\w+Tests)`")]
    private static partial Regex TestClass();

    [GeneratedRegex(@"^\|.*\n\|[-|]+\|\n(?:\|.*\n)+", RegexOptions.Multiline)]
    private static partial Regex Table();

    [GeneratedRegex("^```csharp\n(.*?)^```", RegexOptions.Singleline | RegexOptions.Multiline)]
    private static partial Regex Block();
}
