using Microsoft.CodeAnalysis;
using Mux.Generators.Symbols;

namespace Mux.Generators.Messages.Reading;

/// <summary>A member of a message type that is a field.</summary>
/// <param name="Symbol">The property or field.</param>
/// <param name="Number">Its field number, which may be out of range.</param>
/// <param name="Attribute">Attribute that makes it a field; null if none is needed.</param>
/// <param name="IsPinned">True if the number stays when others are assigned by name.</param>
internal sealed record NumberedMember(ISymbol Symbol, int Number, AttributeData? Attribute, bool IsPinned)
{
    /// <summary>True if the member has no other attribute than [DataMember], and that no other option than the number.</summary>
    public bool IsPlain { get; init; }

    /// <summary>Sort key of fields without numbers: protobuf-net uses the name in the schema.</summary>
    public string SortName =>
        (Attribute?.Argument("Name") ?? Attribute?.Argument("ElementName")) is string { Length: > 0 } name ? name : Symbol.MetadataName;
}
