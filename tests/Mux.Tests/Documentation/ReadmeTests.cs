using Mux.Tests.Architecture;

namespace Mux.Tests.Documentation;

/// <summary>The first page a stranger reads tells the truth.</summary>
public sealed class ReadmeTests
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
    public void It_is_read_in_one_sitting() => Assert.InRange(s_readme.AsSpan().Count('\n'), 1, 199);
}
