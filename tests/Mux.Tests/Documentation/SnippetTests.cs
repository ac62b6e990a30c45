using Mux.TestSupport.Sources;

namespace Mux.Tests.Documentation;

/// <summary>Code that readers copy has been compiled: it is part of a file that a build or a program reads.</summary>
public sealed class SnippetTests
{
    public static TheoryData<string> Pages { get; } = [.. MarkdownPage.ForUsers];

    [Theory]
    [MemberData(nameof(Pages))]
    public void Every_block_of_code_is_part_of_the_file_that_is_named_above_it(string page)
    {
        var blocks = new MarkdownPage(page).Blocks().ToList();
        var elsewhere = from block in blocks
                        where block.File is not null
                        where !File.Exists(Path.Combine(SourceTree.Root, block.File)) || !SourceTree.Read(block.File).Contains(block.Code, StringComparison.Ordinal)
                        select $"{block.File}: {block.Code}";
        Assert.Empty(elsewhere);
    }

    /// <summary>Hello world of README stands between marks of its own: <see cref="ReadmeTests"/>.</summary>
    [Theory]
    [MemberData(nameof(Pages))]
    public void Every_block_of_C_sharp_names_its_file(string page)
    {
        var nameless = new MarkdownPage(page).Blocks().Where(static block => block is { File: null, Language: "csharp" }).Select(static block => block.Code).ToList();
        if (page == "README.md") nameless.Remove(SourceTree.Read("samples/01-hello/Program.cs"));
        Assert.Empty(nameless);
    }
}
