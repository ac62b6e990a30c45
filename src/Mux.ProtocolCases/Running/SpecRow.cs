namespace Mux.ProtocolCases.Running;

/// <summary>A row of the table of bad inputs in PROTOCOL.md.</summary>
/// <param name="Number">Of the row.</param>
/// <param name="Input">What comes.</param>
/// <param name="Reaction">What comes of it.</param>
/// <param name="Cases">The cases that are bytes.</param>
/// <param name="Tests">The tests that prove the rest.</param>
/// <param name="Proof">As it stands there.</param>
internal sealed record SpecRow(int Number, string Input, string Reaction, IReadOnlyList<string> Cases, IReadOnlyList<string> Tests, string Proof);
