using System.Text.RegularExpressions;
using Mux.TestSupport.Sources;

namespace Mux.Tests.Documentation;

/// <summary>What documents point at exists.</summary>
public sealed partial class LinkTests
{
    [Fact]
    public void Every_relative_link_and_image_leads_to_a_file()
    {
        var broken = from document in MarkdownPage.All
                     from link in new MarkdownPage(document).Links()
                     where !Path.Exists(FileOf(document, link.File))
                     select $"{document}: {link.File}";
        Assert.Empty(broken);
    }

    [Fact]
    public void Every_anchor_is_a_heading_of_its_page()
    {
        var broken = from document in MarkdownPage.All
                     from link in new MarkdownPage(document).Links()
                     where link.Anchor.Length > 0
                     let file = Path.GetRelativePath(SourceTree.Root, FileOf(document, link.File))
                     where file.EndsWith(".md", StringComparison.Ordinal) && File.Exists(FileOf(document, link.File))
                     where !new MarkdownPage(file).Anchors().Contains(link.Anchor)
                     select $"{document}: {link.File}#{link.Anchor}";
        Assert.Empty(broken);
    }

    [Fact]
    public void Every_page_of_the_documentation_is_reached_from_its_index()
    {
        var linked = new MarkdownPage("docs/README.md").Links().Select(static link => $"docs/{link.File}").ToHashSet();
        Assert.DoesNotContain(MarkdownPage.ForUsers, page => page is not ("README.md" or "docs/README.md") && !linked.Contains(page));
    }

    [Fact]
    public void Every_path_of_the_tree_that_the_readme_names_is_there()
    {
        var named = TreePath().Matches(SourceTree.Read("README.md")).Select(match => match.Groups[1].Value).ToList();
        Assert.InRange(named.Count, 5, 100);
        Assert.DoesNotContain(named, static path => !Path.Exists(Path.Combine(SourceTree.Root, path)));
    }

    private static string FileOf(string document, string link) =>
        link.Length == 0 ? Path.Combine(SourceTree.Root, document) : Path.GetFullPath(Path.Combine(SourceTree.Root, Path.GetDirectoryName(document)!, link));

    [GeneratedRegex(@"`((?:src|docs|samples|tests|benchmarks)/[\w./-]+)`")]
    private static partial Regex TreePath();
}
