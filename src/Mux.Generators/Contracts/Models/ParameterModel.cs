namespace Mux.Generators.Contracts.Models;

/// <summary>A parameter of a contract method.</summary>
/// <param name="Name">The C# name, escaped where it is a keyword.</param>
/// <param name="TypeName">The C# type, fully qualified.</param>
/// <param name="Role">Purpose.</param>
internal sealed record ParameterModel(string Name, string TypeName, ParameterRole Role)
{
    /// <summary>Place among the parameters, from 0.</summary>
    public int Position { get; init; }

    /// <summary>Name of the parameter in generated methods, where the user's could hide what they call.</summary>
    public string Variable => $"argument{Position}";

    /// <summary>The name without escape.</summary>
    public string PlainName => Name.TrimStart('@');
}
