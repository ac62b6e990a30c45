using Mux.ProtocolCases.Cases;

namespace Mux.ProtocolCases.Running;

/// <summary>Result of a case.</summary>
/// <param name="Case">The case.</param>
/// <param name="Split">Split of the input; null if the case was skipped.</param>
/// <param name="Verdict">The verdict.</param>
/// <param name="Got">Reaction of the peer, or the reason for skipping the case.</param>
/// <param name="Step">Step of the failure; null if it did not fail.</param>
internal sealed record SpecResult(BadInputCase Case, SpecSplit? Split, SpecVerdict Verdict, string Got, SpecStep? Step = null);
