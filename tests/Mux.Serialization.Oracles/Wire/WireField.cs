namespace Mux.Serialization.Oracles.Wire;

/// <summary>A field as it stands on the wire.</summary>
/// <param name="Number">1 to 536,870,911.</param>
/// <param name="Type">Never <see cref="WireType.EndGroup"/>.</param>
/// <param name="Value">Of a varint and of the fixed sizes.</param>
/// <param name="Bytes">Behind a length.</param>
/// <param name="Group">What stands in a group.</param>
internal sealed record WireField(int Number, WireType Type, ulong Value = 0, byte[]? Bytes = null, IReadOnlyList<WireField>? Group = null);
