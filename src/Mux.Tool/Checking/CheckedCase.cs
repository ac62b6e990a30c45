using Mux.ProtocolCases.Running;

namespace Mux.Tool.Checking;

/// <summary>What came of a case, in whatever pieces it was sent.</summary>
/// <param name="Name">As PROTOCOL.md names it.</param>
/// <param name="Row">Of the table in PROTOCOL.md; null for a case beyond it.</param>
/// <param name="Sent">What this side sent, or what it did.</param>
/// <param name="Expected">What has to come of it.</param>
/// <param name="Got">What came, or why the case was not played.</param>
/// <param name="Verdict">Whether it is as it has to be.</param>
/// <param name="Step">Where it failed; null for a case that did not.</param>
/// <param name="Elapsed">How long all of it took.</param>
internal sealed record CheckedCase(string Name, int? Row, string Sent, string Expected, string Got, SpecVerdict Verdict, SpecStep? Step, TimeSpan Elapsed)
{
    /// <param name="result">The first that failed, else the last.</param>
    /// <param name="elapsed">How long all of it took.</param>
    public static CheckedCase Of(SpecResult result, TimeSpan elapsed)
    {
        var (badInput, sent) = (result.Case, SpecText.Sent(result.Case.Bytes));
        bool isCut = result is { Split: not null and not SpecSplit.Whole, Verdict: SpecVerdict.Failed };
        if (isCut) sent += result.Split == SpecSplit.Half ? ", in pieces" : ", byte by byte";
        return new CheckedCase(badInput.Name, SpecRows.NumberOf(badInput), sent, SpecText.Expected(badInput), result.Got, result.Verdict, result.Step, elapsed);
    }
}
