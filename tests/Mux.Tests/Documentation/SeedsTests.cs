using System.Text.RegularExpressions;
using Mux.TestSupport.Sources;

namespace Mux.Tests.Documentation;

/// <summary>The page of the earlier systems proves what it says by tests and programs: they are there.</summary>
public sealed partial class SeedsTests
{
    private static readonly string s_page = SourceTree.Read("docs/seeds.md");

    [Fact]
    public void Every_test_that_the_page_names_is_there()
    {
        var files = SourceTree.Files("tests", "*.cs").ToLookup(file => Path.GetFileNameWithoutExtension(file));
        var named = Test().Matches(s_page).Select(match => (Class: match.Groups[1].Value, Method: match.Groups[2].Value)).ToList();

        Assert.InRange(named.Count, 30, int.MaxValue);
        Assert.DoesNotContain(named, test => !files[test.Class].Any(file => test.Method.Length == 0 || SourceTree.Read(file).Contains($" {test.Method}(", StringComparison.Ordinal)));
    }

    [Fact]
    public void Every_program_that_the_page_names_is_there()
    {
        var programs = new Dictionary<string, string>
        {
            ["Evidence"] = SourceTree.Read("benchmarks/Evidence/Program.cs"),
            ["Seeds"] = SourceTree.Read("benchmarks/Seeds/Program.cs"),
            ["mux"] = string.Concat(SourceTree.Files("src/Mux.Tool/Commands", "*.cs").Select(SourceTree.Read)),
        };
        var named = Program().Matches(s_page).Select(match => (Program: match.Groups[1].Value, Command: match.Groups[2].Value)).ToList();

        Assert.InRange(named.Count, 15, int.MaxValue);
        Assert.DoesNotContain(named, one => !programs[one.Program].Contains($"\"{one.Command}\"", StringComparison.Ordinal));
    }

    [GeneratedRegex(@"`([A-Z]\w*Tests|\w+Invariants)(?:\.(\w+))?`")]
    private static partial Regex Test();

    [GeneratedRegex(@"`(Evidence|Seeds|mux) ([a-z][a-z-]*)`")]
    private static partial Regex Program();
}
