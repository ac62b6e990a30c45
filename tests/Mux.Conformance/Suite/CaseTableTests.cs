using System.Globalization;
using System.Text.RegularExpressions;

namespace Mux.Conformance.Suite;

/// <summary>README.md and the tests agree: what it says is proved exists, and what is proved it says.</summary>
public sealed partial class CaseTableTests
{
    private const int Cases = 59;

    private static readonly string s_root = FindRoot();
    private static readonly List<(int Number, string Tests, string State)> s_rows = ReadRows();

    [Fact]
    public void Every_case_has_its_row() => Assert.Equal(Enumerable.Range(1, Cases), s_rows.Select(row => row.Number));

    [Fact]
    public void Every_row_names_its_tests_or_who_owes_them() => Assert.All(s_rows, row =>
        Assert.True(row.State.StartsWith("owed by *", StringComparison.Ordinal) || (row.State.StartsWith("green", StringComparison.Ordinal) && row.Tests.Contains('`')), $"MX-{row.Number:000}: {row.State}"));

    [Fact]
    public void Every_test_that_a_row_names_exists()
    {
        var missing = s_rows.SelectMany(row => Name().Matches(row.Tests).Select(match => match.Groups[1].Value)).Distinct().Where(name => !Exists(name));
        Assert.Empty(missing);
    }

    [Fact]
    public void Every_test_class_carries_the_cases_whose_rows_name_it()
    {
        foreach (var tests in TestClasses())
        {
            var carried = tests.GetCustomAttributes(typeof(CasesAttribute), inherit: false).Cast<CasesAttribute>().SingleOrDefault();
            Assert.True(carried is not null, $"{tests} carries no cases.");
            var named = s_rows.Where(row => row.Tests.Contains($"`{tests.Name}.", StringComparison.Ordinal)).Select(row => row.Number);
            Assert.True(carried.Numbers.Order().SequenceEqual(named), $"{tests.Name} carries {string.Join(", ", carried.Numbers.Order())}, and the rows {string.Join(", ", named)} name it.");
        }
    }

    private static IEnumerable<Type> TestClasses() => typeof(CaseTableTests).Assembly.GetTypes().Where(type => type.IsSubclassOf(typeof(ConformanceTests)));

    /// <summary>A test of this project, or of another one: those are looked for in the source.</summary>
    private static bool Exists(string name)
    {
        var (type, method) = (name.Split('.')[0], name.Split('.')[1]);
        var own = typeof(CaseTableTests).Assembly.GetTypes().Where(candidate => candidate.Name == type).ToList();
        if (own.Count > 0) return own.Any(candidate => candidate.GetMethod(method)?.IsDefined(typeof(FactAttribute), inherit: false) == true);
        return Directory.EnumerateFiles(Path.Combine(s_root, "tests"), $"{type}.cs", SearchOption.AllDirectories).Any(file => File.ReadAllText(file).Contains($" {method}(", StringComparison.Ordinal));
    }

    private static List<(int Number, string Tests, string State)> ReadRows()
    {
        var text = File.ReadAllText(Path.Combine(s_root, "tests", "Mux.Conformance", "README.md"));
        return [.. Row().Matches(text).Select(row => (int.Parse(row.Groups[1].ValueSpan, CultureInfo.InvariantCulture), row.Groups[2].Value, row.Groups[3].Value))];
    }

    private static string FindRoot()
    {
        var folder = AppContext.BaseDirectory;
        while (!File.Exists(Path.Combine(folder, "Mux.sln"))) folder = Path.GetDirectoryName(folder) ?? throw new InvalidOperationException("Mux.sln is in no folder above the tests.");
        return folder;
    }

    [GeneratedRegex(@"^\| MX-(\d{3}) \| [^|]* \| ([^|]*) \| ([^|]*) \|$", RegexOptions.Multiline)]
    private static partial Regex Row();

    [GeneratedRegex(@"`(\w+\.\w+)`")]
    private static partial Regex Name();
}
