using Mux.ProtocolCases.Cases;

namespace Mux.ProtocolCases.Running;

/// <summary>What came of a case.</summary>
/// <param name="Case">Which.</param>
/// <param name="Split">In which pieces it was sent; of one that was skipped none.</param>
/// <param name="Verdict">Whether it is as it has to be.</param>
/// <param name="Got">What the peer did, or why it was not asked.</param>
/// <param name="Step">Where it failed; null for a case that did not.</param>
internal sealed record SpecResult(BadInputCase Case, SpecSplit? Split, SpecVerdict Verdict, string Got, SpecStep? Step = null);
