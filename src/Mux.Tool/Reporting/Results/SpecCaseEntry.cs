using Mux.Tool.Checking;

namespace Mux.Tool.Reporting.Results;

/// <param name="Name">Name in PROTOCOL.md.</param>
/// <param name="Row">Row of the table in PROTOCOL.md; null if it is not in the table.</param>
/// <param name="Verdict">pass, FAIL or skip.</param>
/// <param name="Sent">Bytes sent by the tool, or its action.</param>
/// <param name="Expected">Required reaction.</param>
/// <param name="Got">Actual reaction, or the reason why the case does not apply to this peer.</param>
/// <param name="Step">Step of the failure; null if it did not fail.</param>
/// <param name="ElapsedMs">Duration.</param>
internal sealed record SpecCaseEntry(string Name, int? Row, string Verdict, string Sent, string Expected, string Got, SpecStepEntry? Step, double ElapsedMs)
{
    public static SpecCaseEntry Of(CheckedCase done) =>
        new(done.Name, done.Row, SpecTable.NameOf(done.Verdict), done.Sent, done.Expected, done.Got, SpecStepEntry.Of(done.Step),
            Math.Round(done.Elapsed.TotalMilliseconds, 1));
}
