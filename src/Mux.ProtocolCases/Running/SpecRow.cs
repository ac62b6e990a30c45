namespace Mux.ProtocolCases.Running;

/// <summary>A row of the table of bad inputs in PROTOCOL.md.</summary>
/// <param name="Number">Number of the row.</param>
/// <param name="Input">Description of the input.</param>
/// <param name="Reaction">Description of the reaction.</param>
/// <param name="Cases">Names of the cases that are bytes.</param>
/// <param name="Tests">Names of the tests that prove the rest.</param>
/// <param name="Proof">Text of the cell.</param>
internal sealed record SpecRow(int Number, string Input, string Reaction, IReadOnlyList<string> Cases, IReadOnlyList<string> Tests, string Proof);
