using Mux.ProtocolCases.Running;

namespace Mux.ProtocolCases.Servers;

/// <summary>Result of a case.</summary>
/// <param name="Case">The case.</param>
/// <param name="Verdict">The verdict.</param>
/// <param name="Got">Actual reaction, or the reason why the case was not played.</param>
/// <param name="Step">Step of the failure; null if it did not fail.</param>
internal sealed record ServerResult(ServerCase Case, SpecVerdict Verdict, string Got, SpecStep? Step);
