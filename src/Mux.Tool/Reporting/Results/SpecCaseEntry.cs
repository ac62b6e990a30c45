using Mux.Tool.Checking;

namespace Mux.Tool.Reporting.Results;

/// <param name="Name">As PROTOCOL.md names it.</param>
/// <param name="Row">Of the table in PROTOCOL.md; null beyond it.</param>
/// <param name="Verdict">pass, FAIL or skip.</param>
/// <param name="Sent">What the tool sent, or did.</param>
/// <param name="Expected">What had to come of it.</param>
/// <param name="Got">What came, or why the case is not for this peer.</param>
/// <param name="Step">Where the case failed; null if it did not.</param>
/// <param name="ElapsedMs">How long it took.</param>
internal sealed record SpecCaseEntry(string Name, int? Row, string Verdict, string Sent, string Expected, string Got, SpecStepEntry? Step, double ElapsedMs)
{
    public static SpecCaseEntry Of(CheckedCase done) =>
        new(done.Name, done.Row, SpecTable.NameOf(done.Verdict), done.Sent, done.Expected, done.Got, SpecStepEntry.Of(done.Step),
            Math.Round(done.Elapsed.TotalMilliseconds, 1));
}
