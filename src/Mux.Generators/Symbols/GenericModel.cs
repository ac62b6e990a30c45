namespace Mux.Generators.Symbols;

/// <summary>What a message has of a generic type: its accessors are declared for the type as it stands in the source, and called for its arguments.</summary>
/// <param name="Parameters">The names of the type parameters, those of types around it first.</param>
/// <param name="Arguments">What they are here.</param>
/// <param name="Constraints">Their constraints, each with a space before it; or nothing.</param>
/// <param name="Definition">The C# type, made of its parameters.</param>
internal sealed record GenericModel(string Parameters, string Arguments, string Constraints, string Definition);
