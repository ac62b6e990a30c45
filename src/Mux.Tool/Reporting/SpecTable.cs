using System.Globalization;
using Mux.ProtocolCases.Running;
using Mux.Tool.Checking;

namespace Mux.Tool.Reporting;

/// <summary>The result of <c>mux spec</c> as lines: a table, and a summary behind it.</summary>
internal static class SpecTable
{
    private static readonly string[] s_heads = ["", "#", "case", "sent", "expected", "got"];

    public static IEnumerable<string> Lines(IReadOnlyList<CheckedCase> cases)
    {
        string[][] rows = [s_heads, .. cases.Select(Cells)];
        var widths = Enumerable.Range(0, s_heads.Length).Select(column => rows.Max(row => row[column].Length)).ToArray();
        foreach (var row in rows) yield return string.Join("  ", row.Select((cell, column) => cell.PadRight(widths[column]))).TrimEnd();
        yield return string.Empty;
        yield return Summary(cases);
    }

    /// <summary>What a verdict is called.</summary>
    public static string NameOf(SpecVerdict verdict) => verdict switch
    {
        SpecVerdict.Passed => "pass",
        SpecVerdict.Failed => "FAIL",
        _ => "skip",
    };

    private static string[] Cells(CheckedCase done) =>
        [NameOf(done.Verdict), done.Row?.ToString(CultureInfo.InvariantCulture) ?? "-", done.Name, done.Sent, done.Expected, done.Got];

    private static string Summary(IReadOnlyList<CheckedCase> cases)
    {
        int Count(SpecVerdict verdict) => cases.Count(done => done.Verdict == verdict);
        var elapsed = TimeSpan.FromTicks(cases.Sum(done => done.Elapsed.Ticks));
        return $"{cases.Count} cases in {elapsed.TotalSeconds.ToString("0.0", CultureInfo.InvariantCulture)} s: {Count(SpecVerdict.Passed)} passed, {Count(SpecVerdict.Failed)} failed, {Count(SpecVerdict.Skipped)} skipped";
    }
}
