using System.Globalization;
using Mux.ProtocolCases.Running;
using Mux.Tool.Checking;
using Mux.Tool.Commands;

namespace Mux.Tool.Reporting;

/// <summary>
/// The result of <c>mux spec</c> as text, 80 columns wide: the passed cases by their reaction, those that are not for the peer by the reason, and last, where a
/// terminal shows them, the failed ones with everything about them.
/// </summary>
internal static class SpecTable
{
    private const int Width = 80;
    private const int RowWidth = 5;
    private const int LabelWidth = 10;
    private const string Indent = "  ";

    private static readonly string s_detailIndent = new(' ', Indent.Length + RowWidth + Indent.Length);

    public static IEnumerable<string> Lines(SpecReport report)
    {
        foreach (var line in TextLines.Wrap(EnvironmentLines.OriginOf(Invocation.StartedAt, Invocation.CommandLine), Width)) yield return line;
        yield return "";
        foreach (var line in Grouped(report, SpecVerdict.Passed, "Passed, by reaction", done => done.Expected)) yield return line;
        foreach (var line in Grouped(report, SpecVerdict.Skipped, $"Not for this {report.Role}, by reason", done => done.Got)) yield return line;
        foreach (var line in Failed(report)) yield return line;
        yield return Summary(report);
    }

    /// <summary>Gets the name of a verdict.</summary>
    public static string NameOf(SpecVerdict verdict) => verdict switch
    {
        SpecVerdict.Passed => "pass",
        SpecVerdict.Failed => "FAIL",
        _ => "skip",
    };

    private static IEnumerable<string> Grouped(SpecReport report, SpecVerdict verdict, string title, Func<CheckedCase, string> key)
    {
        CheckedCase[] cases = [.. report.Cases.Where(done => done.Verdict == verdict)];
        if (cases.Length == 0) yield break;
        yield return $"{title}: {cases.Length}";
        foreach (var group in cases.GroupBy(key, StringComparer.Ordinal))
        {
            foreach (var line in TextLines.Wrap(group.Key, Width - Indent.Length)) yield return Indent + line;
            foreach (var done in group) yield return HeadOf(done);
        }

        yield return "";
    }

    private static IEnumerable<string> Failed(SpecReport report)
    {
        CheckedCase[] cases = [.. report.Cases.Where(done => done.Verdict == SpecVerdict.Failed)];
        if (cases.Length == 0) yield break;
        yield return $"Failed: {cases.Length}";
        foreach (var done in cases)
        {
            yield return HeadOf(done);
            foreach (var (label, text) in ((string, string?)[])
                [("sent", done.Sent), ("expected", done.Expected), ("step", done.Step?.ToString()), ("got", done.Got)])
            {
                if (string.IsNullOrEmpty(text)) continue;
                foreach (var line in TextLines.Wrap($"{s_detailIndent}{label,-LabelWidth}", text, Width)) yield return line;
            }
        }

        yield return "";
    }

    private static string HeadOf(CheckedCase done) =>
        $"{Indent}{done.Row?.ToString(CultureInfo.InvariantCulture) ?? "-",RowWidth}{Indent}{done.Name}";

    private static string Summary(SpecReport report)
    {
        var elapsed = TimeSpan.FromTicks(report.Cases.Sum(done => done.Elapsed.Ticks));
        return $"{report.Cases.Count} cases in {elapsed.TotalSeconds.ToString("0.0", CultureInfo.InvariantCulture)} s: {report.Count(SpecVerdict.Passed)} " +
            $"passed, {report.Count(SpecVerdict.Failed)} failed, {report.Count(SpecVerdict.Skipped)} not for this {report.Role}";
    }
}
