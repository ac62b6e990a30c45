namespace Mux.Generators.Symbols;

/// <summary>Generic parts of a message type: its accessors are declared for the type definition and called with its arguments.</summary>
/// <param name="Parameters">Names of the type parameters, those of outer types first.</param>
/// <param name="Arguments">Type arguments of the message.</param>
/// <param name="Constraints">Constraints, each with a leading space; empty if there are none.</param>
/// <param name="Definition">C# type made of its parameters.</param>
internal sealed record GenericModel(string Parameters, string Arguments, string Constraints, string Definition);
