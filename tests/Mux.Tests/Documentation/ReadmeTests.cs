using System.Text.RegularExpressions;
using Mux.TestSupport.Sources;
using Mux.Transports.Tls;

namespace Mux.Tests.Documentation;

/// <summary>The first page a stranger reads tells the truth.</summary>
public sealed partial class ReadmeTests
{
    private static readonly string s_readme = SourceTree.Read("README.md");

    [Fact]
    public void Hello_world_is_the_sample_that_is_compiled()
    {
        const string begin = "<!-- hello -->\n```csharp\n", end = "```\n<!-- /hello -->";
        int from = s_readme.IndexOf(begin, StringComparison.Ordinal) + begin.Length;
        int to = s_readme.IndexOf(end, StringComparison.Ordinal);
        Assert.InRange(from, begin.Length, to);
        Assert.Equal(SourceTree.Read("samples/01-hello/Program.cs"), s_readme[from..to]);
    }

    [Fact]
    public void Every_other_block_stands_in_the_compiled_file_that_is_named_above_it()
    {
        var excerpts = Excerpt().Matches(s_readme);
        Assert.Equal(CSharp().Count(s_readme), excerpts.Count + 1);
        Assert.All(excerpts, excerpt => Assert.Contains(excerpt.Groups[2].Value, SourceTree.Read(excerpt.Groups[1].Value), StringComparison.Ordinal));
    }

    [Fact]
    public void Every_limit_is_an_option_that_exists()
    {
        Type[] sections = [typeof(MuxServerOptions), typeof(MuxChannelOptions), typeof(MuxServerLimits), typeof(TlsServerOptions), typeof(MuxWorkers)];
        var options = sections.SelectMany(static type => type.GetProperties()).Select(static property => property.Name).ToHashSet();
        var named = LimitRow().Matches(s_readme).SelectMany(static row => Option().Matches(row.Groups[1].Value)).Select(static option => option.Groups[1].Value).ToList();
        Assert.InRange(named.Count, 24, int.MaxValue);
        Assert.DoesNotContain(named, name => !options.Contains(name));
    }

    [Fact]
    public void It_is_read_in_one_sitting() => Assert.InRange(s_readme.AsSpan().Count('\n'), 1, 199);

    [GeneratedRegex(@"`([\w./-]+)`:\n\n```csharp\n(.*?)```\n", RegexOptions.Singleline)]
    private static partial Regex Excerpt();

    [GeneratedRegex(@"^\| (`[^|]*) \| [^|]* \| [^|]* \|$", RegexOptions.Multiline)]
    private static partial Regex LimitRow();

    [GeneratedRegex(@"`(?:\w+[:.])?(\w+)`")]
    private static partial Regex Option();

    [GeneratedRegex("^```csharp", RegexOptions.Multiline)]
    private static partial Regex CSharp();
}
