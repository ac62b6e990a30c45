using Mux.ProtocolCases.Cases;
using Mux.ProtocolCases.Running;
using Mux.TestSupport.Sources;

namespace Mux.Spec.Table;

/// <summary>README.md says what is played, and PROTOCOL.md names no case that is not.</summary>
public sealed class CaseTableTests
{
    private const string File = "tests/Mux.Spec/README.md";
    private const string Begin = "<!-- table: begin -->\n";
    private const string End = "<!-- table: end -->";

    [Fact]
    public void The_protocol_has_its_107_rows() => Assert.Equal(Enumerable.Range(1, 107), SpecRows.All.Select(row => row.Number));

    [Fact]
    public void Every_row_is_played_or_names_what_proves_it_or_who_owes_it() => Assert.All(SpecRows.All, row =>
        Assert.True(row.Cases.Count + row.Tests.Count > 0 || row.Proof.Contains("cannot occur, because", StringComparison.Ordinal) || row.Proof.Contains("owed by *", StringComparison.Ordinal), $"{row.Number}: {row.Proof}"));

    [Fact]
    public void Every_case_that_a_row_names_is_there()
    {
        var names = BadInputCatalogue.All.Concat(PayloadCases.All).Select(badInput => badInput.Name).ToHashSet();
        Assert.DoesNotContain(SpecRows.All.SelectMany(row => row.Cases), name => !names.Contains(name));
    }

    /// <summary>With <c>MUX_REWRITE_SPEC_TABLE=1</c> it writes the table instead.</summary>
    [Fact]
    public void The_table_of_the_readme_is_that_of_the_tests()
    {
        var text = SourceTree.Read(File);
        int begin = text.IndexOf(Begin, StringComparison.Ordinal) + Begin.Length, end = text.IndexOf(End, StringComparison.Ordinal);
        if (Environment.GetEnvironmentVariable("MUX_REWRITE_SPEC_TABLE") == "1") System.IO.File.WriteAllText(Path.Combine(SourceTree.Root, File), $"{text[..begin]}{CaseTable.Text()}{text[end..]}");
        else Assert.Equal(CaseTable.Text(), text[begin..end]);
    }
}
