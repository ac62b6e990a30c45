using System.Globalization;
using System.Text.RegularExpressions;
using Mux.ProtocolCases.Cases;
using Mux.TestSupport.Sources;

namespace Mux.Core.Tests.Wire;

/// <summary>PROTOCOL.md says of every bad input what comes of it, and what it says is proved by something that exists.</summary>
public sealed partial class ProtocolDocumentTests
{
    private const int Inputs = 107;

    private static readonly List<(int Number, string Proof)> s_rows = ReadRows();

    [Fact]
    public void Every_input_of_the_catalogue_has_its_row() => Assert.Equal(Enumerable.Range(1, Inputs), s_rows.Select(row => row.Number));

    [Fact]
    public void Every_row_names_its_tests_or_who_owes_them_or_why_it_cannot_occur() => Assert.All(s_rows, row =>
        Assert.True(row.Proof.Contains('`') || row.Proof.Contains("owed by *", StringComparison.Ordinal) || row.Proof.Contains("cannot occur, because", StringComparison.Ordinal), row.Proof));

    [Fact]
    public void Every_test_that_a_row_names_exists()
    {
        var tests = SourceTree.Files("tests", "*Tests*.cs").SelectMany(TestsIn).Concat(BadInputCatalogue.All.Concat(PayloadCases.All).Select(badInput => badInput.Name)).ToHashSet();

        var missing = s_rows.SelectMany(row => Name().Matches(row.Proof).Select(match => match.Groups[1].Value)).Where(name => !tests.Contains(name));

        Assert.Empty(missing);
    }

    private static IEnumerable<string> TestsIn(string file)
    {
        var source = SourceTree.Read(file);
        var type = TestClass().Match(source).Groups[1].Value;
        return Test().Matches(source).Select(test => $"{type}.{test.Groups[1].Value}");
    }

    private static List<(int Number, string Proof)> ReadRows()
    {
        var text = File.ReadAllText(Path.Combine(AppContext.BaseDirectory, "Wire", "PROTOCOL.md"));
        var table = text[text.IndexOf("## 13. Tests of section 11", StringComparison.Ordinal)..];
        return [.. Row().Matches(table).Select(row => (int.Parse(row.Groups[1].ValueSpan, CultureInfo.InvariantCulture), row.Groups[2].Value))];
    }

    [GeneratedRegex(@"^\| (\d+) \| ([^|]*) \|$", RegexOptions.Multiline)]
    private static partial Regex Row();

    [GeneratedRegex(@"class (\w+Tests)\b")]
    private static partial Regex TestClass();

    [GeneratedRegex(@"\[(?:Fact|Theory).*?^    public (?:async Task|void) (\w+)\(", RegexOptions.Multiline | RegexOptions.Singleline)]
    private static partial Regex Test();

    [GeneratedRegex("`([^`]+)`")]
    private static partial Regex Name();
}
