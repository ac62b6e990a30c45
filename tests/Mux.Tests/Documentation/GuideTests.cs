using System.Text.RegularExpressions;
using Mux.TestSupport.Sources;

namespace Mux.Tests.Documentation;

/// <summary>Every block of code in the guide is a file that is compiled or read by a program.</summary>
public sealed partial class GuideTests
{
    [Fact]
    public void Every_block_is_the_file_that_stands_above_it()
    {
        var guide = SourceTree.Read("docs/guide.md");
        var blocks = Block().Matches(guide);
        Assert.Equal(Fence().Count(guide), 2 * blocks.Count);
        Assert.All(blocks, block => Assert.Equal(SourceTree.Read(block.Groups[1].Value), block.Groups[2].Value));
    }

    [GeneratedRegex(@"`([\w./-]+)`:\n\n```\w+\n(.*?)```\n", RegexOptions.Singleline)]
    private static partial Regex Block();

    [GeneratedRegex("^```", RegexOptions.Multiline)]
    private static partial Regex Fence();
}
