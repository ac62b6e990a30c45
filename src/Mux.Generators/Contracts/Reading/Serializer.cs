using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Mux.Generators.Contracts.Models;
using Mux.Generators.Symbols;

namespace Mux.Generators.Contracts.Reading;

/// <summary>A serializer that a contract names.</summary>
/// <param name="Type">The C# type.</param>
/// <param name="Format">What its bytes are called.</param>
/// <param name="Types">What it takes, with all that derives from or implements it; empty for everything.</param>
internal sealed record Serializer(INamedTypeSymbol Type, string Format, ImmutableArray<ITypeSymbol> Types)
{
    /// <summary>What is known of a value that it sends.</summary>
    /// <param name="type">Null for nothing.</param>
    /// <param name="subject">The method, parameter or error.</param>
    public SerializedModel Send(ITypeSymbol? type, string subject)
    {
        var display = type is null ? subject : $"{subject}, {type.ToDisplay()} as {Format}";
        return new SerializedModel(Type.ToBareCode(), type?.ToBareCode(), display);
    }
}
