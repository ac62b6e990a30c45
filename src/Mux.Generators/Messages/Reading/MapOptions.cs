using Microsoft.CodeAnalysis;
using Mux.Generators.Symbols;

namespace Mux.Generators.Messages.Reading;

/// <summary>What a member says about the entries of its map.</summary>
/// <param name="IsMember">Whether there is a member: what stands alone says nothing, and the last entry of a key counts.</param>
/// <param name="IsDisabled">Whether the entries are a list of pairs, of which no two may have the same key.</param>
/// <param name="KeyFormat">As [ProtoMap] declares it.</param>
/// <param name="ValueFormat">As [ProtoMap] declares it.</param>
internal readonly record struct MapOptions(bool IsMember, bool IsDisabled, DataFormat KeyFormat, DataFormat ValueFormat)
{
    public static MapOptions Of(ISymbol member)
    {
        if (member.FindAttribute(WellKnownNames.ProtoMap) is not { } map) return new MapOptions(IsMember: true, IsDisabled: false, default, default);
        if (map.Flag("DisableMap")) return new MapOptions(IsMember: true, IsDisabled: true, default, default);
        return new MapOptions(IsMember: true, IsDisabled: false, (DataFormat)(map.Number("KeyFormat") ?? 0), (DataFormat)(map.Number("ValueFormat") ?? 0));
    }
}
