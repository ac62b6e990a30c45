using System.Text.RegularExpressions;

namespace Mux.Tool.Tests.Processes;

/// <summary>The cases in the text of <c>mux spec</c>, a line for each: verdict, row, name, and what is told of it.</summary>
internal static partial class SpecRows
{
    public static string[] Of(ToolResult result)
    {
        Assert.All(result.Output, line => Assert.InRange(line.Length, 0, 80));
        var rows = new List<string>();
        string verdict = "", group = "";
        bool isGroupOpen = false;
        foreach (var line in result.Output)
        {
            if (Title().Match(line) is { Success: true } title)
            {
                verdict = title.Groups[1].Value switch { "Passed" => "pass", "Failed" => "FAIL", _ => "skip" };
                isGroupOpen = false;
            }
            else if (verdict.Length == 0 || line.Length == 0)
            {
                continue;
            }
            else if (Case().Match(line) is { Success: true } head)
            {
                rows.Add($"{verdict}  {head.Groups[1].Value}  {head.Groups[2].Value}  {(verdict == "FAIL" ? "" : group)}".TrimEnd());
                isGroupOpen = false;
            }
            else if (Detail().Match(line) is { Success: true } detail)
            {
                rows[^1] += $"  {detail.Groups[1].Value}";
            }
            else if (Continuation().Match(line) is { Success: true } more)
            {
                rows[^1] += $" {more.Groups[1].Value}";
            }
            else if (Group().Match(line) is { Success: true } text)
            {
                group = isGroupOpen ? $"{group} {text.Groups[1].Value}" : text.Groups[1].Value;
                isGroupOpen = true;
            }
        }

        return [.. rows];
    }

    [GeneratedRegex("^(Passed|Not for this \\w+|Failed)(?:, by \\w+)?: \\d+$")]
    private static partial Regex Title();

    [GeneratedRegex(@"^ {2} {2,4}(\d+|-)  (\S+)$")]
    private static partial Regex Case();

    [GeneratedRegex("^ {9}(?:sent|expected|step|got) +(.*)$")]
    private static partial Regex Detail();

    [GeneratedRegex(@"^ {19}(\S.*)$")]
    private static partial Regex Continuation();

    [GeneratedRegex(@"^ {2}(\S.*)$")]
    private static partial Regex Group();
}
