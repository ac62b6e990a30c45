namespace Mux.Generators.Models;

/// <summary>A parameter of a contract method, the token excluded.</summary>
/// <param name="Name">The C# name, escaped where it is a keyword.</param>
/// <param name="TypeName">The C# type, fully qualified.</param>
internal sealed record ParameterModel(string Name, string TypeName);
