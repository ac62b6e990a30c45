using System.Text.RegularExpressions;
using Mux.Description.Proto.Comparing;
using Mux.TestSupport.Sources;

namespace Mux.Description.Tests.Comparing;

/// <summary>
/// docs/buf-rules.md says for each breaking rule of buf what the rules here report. What buf says of each edit is known from buf.txt, and checked where
/// MUX_BUF names the program, as in .ci/long; MUX_REWRITE_BUF=1 writes the file.
/// </summary>
public sealed partial class BufTests
{
    private const string None = "none";

    private static readonly string s_page = SourceTree.Read("docs/buf-rules.md");

    private static readonly (ContractLevel Level, string Category)[] s_levels = [(ContractLevel.Wire, "WIRE"), (ContractLevel.Json, "WIRE_JSON")];

    private static readonly BufVerdicts s_buf = BufVerdicts.Parse(SourceTree.Read(BufVerdicts.File));

    private static readonly Dictionary<(BufEdit Edit, ContractLevel Level), List<string>> s_found = BufEdits.All.SelectMany(Find).ToDictionary();

    [Fact]
    public async Task Buf_says_of_every_edit_what_is_known()
    {
        Assert.SkipWhen(BufProgram.Path is null, "MUX_BUF does not name the program to compare with.");
        var actual = await BufProgram.JudgeAsync(BufEdits.All, TestContext.Current.CancellationToken);
        if (Environment.GetEnvironmentVariable("MUX_REWRITE_BUF") == "1") await File.WriteAllTextAsync(Path.Combine(SourceTree.Root, BufVerdicts.File), actual.ToString(), TestContext.Current.CancellationToken);
        else Assert.Equal(SourceTree.Read(BufVerdicts.File), actual.ToString());
    }

    [Fact]
    public void Every_edit_breaks_the_rules_of_buf_that_it_is_for()
    {
        Assert.Equal(BufEdits.All.Select(static edit => edit.What), s_buf.OfEdits.Keys);
        Assert.All(BufEdits.All.Where(static edit => edit.Rules.Length > 0), static edit => Assert.Subset(s_buf.OfEdits[edit.What], edit.Rules.Split(' ').ToHashSet()));
    }

    [Fact]
    public void The_page_says_of_every_rule_of_buf_what_is_reported_or_why_nothing_is()
    {
        var rows = RuleRow().Matches(s_page).ToDictionary(static row => row.Groups["rule"].Value, StringComparer.Ordinal);
        var expected = s_buf.Categories.Keys.Select(Expected).ToList();
        foreach (var row in expected) TestContext.Current.TestOutputHelper?.WriteLine(row);
        Assert.Equal(expected, rows.OrderBy(static row => row.Key, StringComparer.Ordinal).Select(static row => row.Value.Groups["known"].Value));
        Assert.All(rows.Values, static row => Assert.True(row.Groups["known"].Value.EndsWith("| equal |", StringComparison.Ordinal) || row.Groups["why"].Value.Trim().Length > 0, row.Value));

        static string Expected(string rule) =>
            $"| `{rule}` | {string.Join(" | ", s_levels.Select(level => Reported(rule, level.Level, level.Category)))} | {Verdict(rule)} |";
    }

    [Fact]
    public void The_page_lists_what_is_reported_where_buf_reports_nothing()
    {
        var expected = (
            from level in s_levels
            from edit in BufEdits.All
            where !s_buf.OfEdits[edit.What].Any(rule => s_buf.Categories[rule].Contains(level.Category))
            from id in s_found[(edit, level.Level)]
            group level.Level by id into ids
            orderby ids.Key
            select $"| {ids.Key} | {string.Join(", ", ids.Distinct())} |").ToList();
        foreach (var row in expected) TestContext.Current.TestOutputHelper?.WriteLine(row);
        Assert.Equal(expected, OwnRow().Matches(s_page).Select(static row => row.Groups["known"].Value));
    }

    // Next to the sets that correspond to the levels. A rule that only the other two sets have is compared with the level Json, which reports more than Wire.
    private static string Verdict(string rule)
    {
        var broken = BufEdits.All.Where(edit => s_buf.OfEdits[edit.What].Contains(rule)).ToList();
        if (broken.Count == 0) return "looser";
        bool isElsewhere = !s_levels.Any(level => s_buf.Categories[rule].Contains(level.Category));
        var words = new List<string>(2);
        if (broken.Exists(IsReportedHereAlone)) words.Add("stricter");
        if (broken.Exists(IsMissed)) words.Add("looser");
        return words.Count == 0 ? "equal" : string.Join(", ", words);

        static bool IsReportedHereAlone(BufEdit edit) => s_levels.Any(level =>
            s_found[(edit, level.Level)].Count > 0 && !s_buf.OfEdits[edit.What].Any(other => s_buf.Categories[other].Contains(level.Category)));

        bool IsMissed(BufEdit edit) => s_levels.Any(level => s_found[(edit, level.Level)].Count == 0
            && (isElsewhere ? level.Level == ContractLevel.Json : s_buf.Categories[rule].Contains(level.Category)));
    }

    // What its edits make of the rules here, and "none" where it has no edit, or one of them, or another edit that buf refuses for the rule at this level, is found by none.
    private static string Reported(string rule, ContractLevel level, string category)
    {
        var own = BufEdits.All.Where(edit => edit.IsFor(rule)).Select(edit => s_found[(edit, level)]).ToList();
        var missed = BufEdits.All.Where(edit => s_buf.Categories[rule].Contains(category) && s_buf.OfEdits[edit.What].Contains(rule) && s_found[(edit, level)].Count == 0).ToList();
        foreach (var edit in missed) TestContext.Current.TestOutputHelper?.WriteLine($"{rule} at {level}: {edit.What}");
        var ids = own.SelectMany(static ids => ids).Distinct().Order(StringComparer.Ordinal);
        return string.Join(", ", missed.Count > 0 || own.Count == 0 || own.Exists(static ids => ids.Count == 0) ? ids.Append(None) : ids);
    }

    private static IEnumerable<KeyValuePair<(BufEdit Edit, ContractLevel Level), List<string>>> Find(BufEdit edit)
    {
        var (before, after) = (Read(edit.Before), Read(edit.After).Set);
        return s_levels.Select(level => KeyValuePair.Create((edit, level.Level), Ids(level.Level)));

        List<string> Ids(ContractLevel level)
        {
            var findings = ContractComparison.Of(before.Set, before.Services, after, level, isBetweenFiles: true).Findings;
            return [.. findings.Where(static finding => finding.Rule != ContractRule.Behind).Select(static finding => finding.Id).Distinct()];
        }

        static RecordedContracts Read(string? text) => Texts.Read(text is null ? [] : [new RecordedFile("t.proto", BufEdit.Whole(text))]);
    }

    [GeneratedRegex(@"^(?<known>\| `(?<rule>[A-Z0-9_]+)` \| [^|]+ \| [^|]+ \| [^|]+ \|) (?<why>[^|]*)\|$", RegexOptions.Multiline)]
    private static partial Regex RuleRow();

    [GeneratedRegex(@"^(?<known>\| MUX\d{4} \| [^|]+ \|) [^|]+\|$", RegexOptions.Multiline)]
    private static partial Regex OwnRow();
}
