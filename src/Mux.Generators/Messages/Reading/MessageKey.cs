using Microsoft.CodeAnalysis;
using Mux.Generators.Symbols;

namespace Mux.Generators.Messages.Reading;

/// <summary>What a codec is made for.</summary>
/// <param name="Type">The message.</param>
/// <param name="Level">Of a tuple without a level of its own, that of the place where it stands; else not specified.</param>
internal readonly record struct MessageKey(INamedTypeSymbol Type, CompatibilityLevel Level = CompatibilityLevel.NotSpecified)
{
    /// <summary>The name of the codec; no other has it.</summary>
    public string Codec => Level > CompatibilityLevel.Level200 ? $"{Type.ToIdentifier()}_Level{(int)Level}Codec" : Type.ToIdentifier() + "Codec";
}
