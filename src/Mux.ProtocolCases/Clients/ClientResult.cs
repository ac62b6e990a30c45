using Mux.ProtocolCases.Running;

namespace Mux.ProtocolCases.Clients;

/// <summary>Result of a <see cref="ClientCase"/>.</summary>
/// <param name="Case">The case.</param>
/// <param name="Verdict">The verdict.</param>
/// <param name="Got">Reaction of the client.</param>
/// <param name="Step">Step of the failure; null if it did not fail.</param>
internal sealed record ClientResult(ClientCase Case, SpecVerdict Verdict, string Got, SpecStep? Step);
