using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Mux.Generators.Contracts.Models;
using Mux.Generators.Symbols;

namespace Mux.Generators.Contracts.Reading;

/// <summary>A serializer that a contract names.</summary>
/// <param name="Type">The C# type.</param>
/// <param name="Format">Name of its format.</param>
/// <param name="Types">Types that it accepts, including all that derive from or implement them; empty for all types.</param>
internal sealed record Serializer(INamedTypeSymbol Type, string Format, ImmutableArray<ITypeSymbol> Types)
{
    /// <summary>Describes a value that it sends.</summary>
    /// <param name="type">Type of the value; null for none.</param>
    /// <param name="subject">The method, parameter or error.</param>
    public SerializedModel Send(ITypeSymbol? type, string subject)
    {
        var display = type is null ? subject : $"{subject}, {type.ToDisplay()} as {Format}";
        return new SerializedModel(Type.ToBareCode(), type?.ToBareCode(), display);
    }
}
