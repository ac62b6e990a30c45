using System.Globalization;
using Mux.ProtocolCases.Running;
using Mux.Tool.Checking;

namespace Mux.Tool.Reporting;

/// <summary>The result of <c>mux spec</c> as text: a table, then a summary.</summary>
internal static class SpecTable
{
    private static readonly string[] s_heads = ["", "#", "case", "sent", "expected", "step", "got"];

    public static IEnumerable<string> Lines(SpecReport report)
    {
        string[][] rows = [s_heads, .. report.Cases.Select(Cells)];
        var widths = Enumerable.Range(0, s_heads.Length).Select(column => rows.Max(row => row[column].Length)).ToArray();
        foreach (var row in rows) yield return string.Join("  ", row.Select((cell, column) => cell.PadRight(widths[column]))).TrimEnd();
        yield return string.Empty;
        yield return Summary(report);
    }

    /// <summary>Gets the name of a verdict.</summary>
    public static string NameOf(SpecVerdict verdict) => verdict switch
    {
        SpecVerdict.Passed => "pass",
        SpecVerdict.Failed => "FAIL",
        _ => "skip",
    };

    private static string[] Cells(CheckedCase done) =>
        [NameOf(done.Verdict), done.Row?.ToString(CultureInfo.InvariantCulture) ?? "-", done.Name, done.Sent, done.Expected, done.Step?.ToString() ?? "",
            done.Got];

    private static string Summary(SpecReport report)
    {
        var elapsed = TimeSpan.FromTicks(report.Cases.Sum(done => done.Elapsed.Ticks));
        return $"{report.Cases.Count} cases in {elapsed.TotalSeconds.ToString("0.0", CultureInfo.InvariantCulture)} s: {report.Count(SpecVerdict.Passed)} " +
            $"passed, {report.Count(SpecVerdict.Failed)} failed, {report.Count(SpecVerdict.Skipped)} not for this {report.Role}";
    }
}
