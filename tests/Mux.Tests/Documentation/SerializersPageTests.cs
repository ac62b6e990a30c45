using System.Text.RegularExpressions;
using Mux.TestSupport.Sources;

namespace Mux.Tests.Documentation;

/// <summary>Every block of code on the page about serializers stands in a sample that is compiled.</summary>
public sealed partial class SerializersPageTests
{
    [Fact]
    public void Every_block_stands_in_the_compiled_file_that_is_named_above_it()
    {
        var page = SourceTree.Read("docs/serializers.md");
        var blocks = Excerpt().Matches(page);
        Assert.Equal(Fence().Count(page), 2 * blocks.Count);
        Assert.All(blocks, block => Assert.Contains(block.Groups[2].Value, SourceTree.Read(block.Groups[1].Value), StringComparison.Ordinal));
    }

    [GeneratedRegex(@"`([\w./-]+)`:\n\n```csharp\n(.*?)```\n", RegexOptions.Singleline)]
    private static partial Regex Excerpt();

    [GeneratedRegex("^```", RegexOptions.Multiline)]
    private static partial Regex Fence();
}
