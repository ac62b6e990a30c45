using System.Text.RegularExpressions;
using Mux.TestSupport.Sources;
using Mux.Transports.Tls;

namespace Mux.Tests.Documentation;

/// <summary>The first page a stranger reads tells the truth.</summary>
public sealed partial class ReadmeTests
{
    private const string External = "Mux.Transports.BeetleX"; // needs a package that not every feed has, and so is not in Mux.sln

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
    public void Every_row_of_the_limits_is_an_option_that_exists()
    {
        Type[] sections = [typeof(MuxServerOptions), typeof(MuxChannelOptions), typeof(MuxServerLimits), typeof(TlsServerOptions), typeof(MuxWorkers)];
        var options = sections.SelectMany(static type => type.GetProperties()).Select(static property => property.Name).ToHashSet();
        var named = LimitRow().Matches(SourceTree.Read("docs/limits.md")).SelectMany(static row => Option().Matches(row.Groups[1].Value)).Select(static option => option.Groups[1].Value).ToList();
        Assert.InRange(named.Count, 24, int.MaxValue);
        Assert.DoesNotContain(named, name => !options.Contains(name));
    }

    [Fact]
    public void The_filter_for_packing_and_the_table_of_packages_name_every_package()
    {
        var projects = SourceTree.Files("src", "*.csproj").Concat(SourceTree.Files("templates", "Mux.Templates.csproj")).ToList();
        var packages = projects.Where(static project => !SourceTree.Read(project).Contains("<IsPackable>false</IsPackable>", StringComparison.Ordinal)).Select(Path.GetFileNameWithoutExtension).ToList();
        Assert.Contains("Mux.Core", packages);
        Assert.DoesNotContain("Mux.Generators", packages);

        var filter = SourceTree.Read("src/Mux.Packages.slnf");
        Assert.DoesNotContain(packages, package => package != External && !filter.Contains($"\\{package}.csproj\"", StringComparison.Ordinal));

        var table = SourceTree.Read("docs/getting-started.md");
        Assert.DoesNotContain(packages, package => !PackageRow().Matches(table).Any(row => row.Value.Contains($"`{package}`", StringComparison.Ordinal)));
    }

    [Fact]
    public void The_readme_is_read_in_one_sitting() => Assert.InRange(s_readme.AsSpan().Count('\n'), 1, 150);

    [GeneratedRegex(@"^\| (`[^|]*) \| [^|]* \| [^|]* \|$", RegexOptions.Multiline)]
    private static partial Regex LimitRow();

    [GeneratedRegex(@"^\| `Mux[^|]* \|", RegexOptions.Multiline)]
    private static partial Regex PackageRow();

    [GeneratedRegex(@"`(?:\w+[:.])?(\w+)`")]
    private static partial Regex Option();
}
