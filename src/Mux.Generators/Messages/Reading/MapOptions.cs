using Microsoft.CodeAnalysis;
using Mux.Generators.Symbols;

namespace Mux.Generators.Messages.Reading;

/// <summary>Options of a member for the entries of its map.</summary>
/// <param name="IsMember">True for a member. A map outside a message has no options, and its last entry of a key counts.</param>
/// <param name="IsDisabled">True if the entries are a list of pairs, of which no two may have the same key.</param>
/// <param name="KeyFormat">Format of keys in [ProtoMap].</param>
/// <param name="ValueFormat">Format of values in [ProtoMap].</param>
internal readonly record struct MapOptions(bool IsMember, bool IsDisabled, DataFormat KeyFormat, DataFormat ValueFormat)
{
    /// <summary>Options of a member that declares none.</summary>
    public static MapOptions Plain { get; } = new(IsMember: true, IsDisabled: false, default, default);

    public static MapOptions Of(ISymbol member)
    {
        if (member.FindAttribute(WellKnownNames.ProtoMap) is not { } map) return Plain;
        if (map.Flag("DisableMap")) return new MapOptions(IsMember: true, IsDisabled: true, default, default);
        return new MapOptions(IsMember: true, IsDisabled: false, (DataFormat)(map.Number("KeyFormat") ?? 0), (DataFormat)(map.Number("ValueFormat") ?? 0));
    }
}
