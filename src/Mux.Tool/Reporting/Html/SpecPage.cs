using System.Globalization;
using Mux.ProtocolCases.Running;
using Mux.Tool.Checking;
using Mux.Tool.Commands;

namespace Mux.Tool.Reporting.Html;

/// <summary>Page with the result of <c>mux spec</c>: the failed cases first, then all.</summary>
internal static class SpecPage
{
    private static readonly string[] s_heads = ["case", "#", "verdict", "sent", "expected", "step", "got"];

    public static byte[] Of(SpecReport report)
    {
        int failed = report.Count(SpecVerdict.Failed);
        var page = new Page(failed == 0 ? $"No case failed at the {report.Role}"
            : $"{failed} cases failed at the {report.Role}", $"mux spec, {report.Address}");
        page.Note(EnvironmentLines.OriginOf(Invocation.StartedAt, Invocation.CommandLine));
        if (report.Interruption is { } interruption) page.Banner(interruption);
        page.Tiles(("cases", Quantity.Count(report.Cases.Count)), ("passed", Quantity.Count(report.Count(SpecVerdict.Passed))),
            ("failed", Quantity.Count(failed)), ($"not for this {report.Role}", Quantity.Count(report.Count(SpecVerdict.Skipped))));
        Append(page, "Failed", [.. report.Cases.Where(done => done.Verdict == SpecVerdict.Failed)]);
        Append(page, "All cases", report.Cases);
        return page.ToBytes();
    }

    private static void Append(Page page, string title, IReadOnlyList<CheckedCase> cases)
    {
        if (cases.Count > 0) page.Table(title, s_heads, [.. cases.Select(Cells)], (row, column) => Style(cases[row], column));
    }

    private static string Style(CheckedCase done, int column) => column switch
    {
        2 when done.Verdict == SpecVerdict.Passed => "class=\"good\"",
        2 when done.Verdict == SpecVerdict.Failed => "class=\"bad\"",
        > 2 => "class=\"text\"",
        _ => "",
    };

    private static string[] Cells(CheckedCase done) =>
        [done.Name, done.Row?.ToString(CultureInfo.InvariantCulture) ?? "-", SpecTable.NameOf(done.Verdict), done.Sent, done.Expected,
            done.Step?.ToString() ?? "", done.Got];
}
