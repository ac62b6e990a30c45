using Mux.ProtocolCases.Running;

namespace Mux.Tool.Checking;

/// <summary>Result of a case over all splits of its input.</summary>
/// <param name="Name">Name in PROTOCOL.md.</param>
/// <param name="Row">Row of the table in PROTOCOL.md; null if it is not in the table.</param>
/// <param name="Sent">Bytes sent by this side, or its action.</param>
/// <param name="Expected">Required reaction.</param>
/// <param name="Got">Actual reaction, or the reason why the case was not played.</param>
/// <param name="Verdict">The verdict.</param>
/// <param name="Step">Step of the failure; null if it did not fail.</param>
/// <param name="Elapsed">Total time.</param>
internal sealed record CheckedCase(string Name, int? Row, string Sent, string Expected, string Got, SpecVerdict Verdict, SpecStep? Step, TimeSpan Elapsed)
{
    /// <param name="result">The first failed result, otherwise the last one.</param>
    /// <param name="elapsed">Total time.</param>
    public static CheckedCase Of(SpecResult result, TimeSpan elapsed)
    {
        var (badInput, sent) = (result.Case, SpecText.Sent(result.Case.Bytes));
        bool isCut = result is { Split: not null and not SpecSplit.Whole, Verdict: SpecVerdict.Failed };
        if (isCut) sent += result.Split == SpecSplit.Half ? ", in pieces" : ", byte by byte";
        return new CheckedCase(badInput.Name, SpecRows.NumberOf(badInput), sent, SpecText.Expected(badInput), result.Got, result.Verdict, result.Step, elapsed);
    }
}
