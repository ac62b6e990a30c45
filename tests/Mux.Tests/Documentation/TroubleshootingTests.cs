using System.Text.RegularExpressions;
using Mux.TestSupport.Sources;

namespace Mux.Tests.Documentation;

/// <summary>Whoever searches the page for a message has it from a program: the page has the words of the source.</summary>
public sealed partial class TroubleshootingTests
{
    [Fact]
    public void Every_message_is_one_of_the_source()
    {
        var source = JoinedText().Replace(string.Concat(SourceTree.Files("src", "*.cs").Select(SourceTree.Read)), string.Empty);
        var messages = Row().Matches(SourceTree.Read("docs/troubleshooting.md")).SelectMany(row => Message().Matches(row.Groups[1].Value)).Select(match => match.Groups[1].Value).ToList();

        Assert.InRange(messages.Count, 50, int.MaxValue);
        Assert.DoesNotContain(messages, message => !source.Contains(message, StringComparison.Ordinal));
    }

    [GeneratedRegex(@"""\s*\+\s*\$?""")]
    private static partial Regex JoinedText();

    [GeneratedRegex(@"^\| ([^|]*) \|", RegexOptions.Multiline)]
    private static partial Regex Row();

    [GeneratedRegex("`([^`]*)`")]
    private static partial Regex Message();
}
