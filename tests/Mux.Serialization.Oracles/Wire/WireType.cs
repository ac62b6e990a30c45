namespace Mux.Serialization.Oracles.Wire;

/// <summary>The lower three bits of a tag: how the value behind it is written.</summary>
internal enum WireType
{
    Varint = 0,
    Fixed64 = 1,
    Bytes = 2,
    StartGroup = 3,
    EndGroup = 4,
    Fixed32 = 5,
}
