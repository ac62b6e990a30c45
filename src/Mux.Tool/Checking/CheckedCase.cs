using Mux.ProtocolCases.Running;

namespace Mux.Tool.Checking;

/// <summary>What came of a case, in whatever pieces it was sent.</summary>
/// <param name="Row">Of the table in PROTOCOL.md; null for a case beyond it.</param>
/// <param name="Result">The first that failed, else the last.</param>
/// <param name="Elapsed">How long all of it took.</param>
internal sealed record CheckedCase(int? Row, SpecResult Result, TimeSpan Elapsed)
{
    public string Name => Result.Case.Name;

    public string Sent => Result.Split is { } split and not SpecSplit.Whole && Result.Verdict == SpecVerdict.Failed
        ? $"{SpecText.Sent(Result.Case)}, {(split == SpecSplit.Half ? "in pieces" : "byte by byte")}"
        : SpecText.Sent(Result.Case);

    public string Expected => SpecText.Expected(Result.Case);

    public string Got => Result.Got;

    public SpecVerdict Verdict => Result.Verdict;
}
