using Microsoft.CodeAnalysis;
using Mux.Generators.Describing;
using Mux.Generators.Symbols;

namespace Mux.Generators.Messages.Reading;

/// <summary>Identity of a codec.</summary>
/// <param name="Type">The message.</param>
/// <param name="Level">For a tuple without its own level, the level of its place; otherwise not specified.</param>
internal readonly record struct MessageKey(INamedTypeSymbol Type, CompatibilityLevel Level = CompatibilityLevel.NotSpecified)
{
    /// <summary>Name in protobuf, unique.</summary>
    public ProtoName Proto => Level > CompatibilityLevel.Level200
        ? ProtoNames.Of(Type) is var name ? name with { Name = $"{name.Name}_Level{(int)Level}" } : name
        : ProtoNames.Of(Type);

    /// <summary>Name of the codec, unique.</summary>
    public string Codec => Level > CompatibilityLevel.Level200 ? $"{Type.ToIdentifier()}_Level{(int)Level}Codec" : Type.ToIdentifier() + "_Codec";
}
