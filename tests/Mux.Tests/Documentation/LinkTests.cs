using System.Text.RegularExpressions;
using Mux.TestSupport.Sources;

namespace Mux.Tests.Documentation;

/// <summary>What documents point at exists.</summary>
public sealed partial class LinkTests
{
    private static readonly string[] s_documents =
        ["README.md", "CHANGELOG.md", .. SourceTree.Files("docs", "*.md"), .. SourceTree.Files("src", "README.md"), .. SourceTree.Files("src", "PROTOCOL.md")];

    [Fact]
    public void Every_relative_link_leads_to_a_file()
    {
        var broken = from document in s_documents
                     from link in Link().Matches(SourceTree.Read(document)).Select(match => match.Groups[1].Value)
                     where !link.Contains("://", StringComparison.Ordinal) && !Exists(Path.Combine(Path.GetDirectoryName(document)!, link))
                     select $"{document}: {link}";
        Assert.Empty(broken);
    }

    [Fact]
    public void Every_path_of_the_tree_that_the_readme_names_is_there()
    {
        var named = TreePath().Matches(SourceTree.Read("README.md")).Select(match => match.Groups[1].Value).ToList();
        Assert.InRange(named.Count, 5, 100);
        Assert.DoesNotContain(named, path => !Exists(path));
    }

    private static bool Exists(string path) => Path.Exists(Path.Combine(SourceTree.Root, path));

    [GeneratedRegex(@"\]\(([^)#\s]+)(?:#[^)]*)?\)")]
    private static partial Regex Link();

    [GeneratedRegex(@"`((?:src|docs|samples|tests|benchmarks)/[\w./-]+)`")]
    private static partial Regex TreePath();
}
