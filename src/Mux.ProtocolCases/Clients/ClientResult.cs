using Mux.ProtocolCases.Running;

namespace Mux.ProtocolCases.Clients;

/// <summary>What came of a <see cref="ClientCase"/>.</summary>
/// <param name="Case">Which.</param>
/// <param name="Verdict">Whether it is as it has to be.</param>
/// <param name="Got">What the client did.</param>
/// <param name="Step">Where it failed; null for a case that did not.</param>
internal sealed record ClientResult(ClientCase Case, SpecVerdict Verdict, string Got, SpecStep? Step);
