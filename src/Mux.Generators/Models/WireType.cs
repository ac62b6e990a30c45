namespace Mux.Generators.Models;

/// <summary>The lower three bits of a protobuf tag.</summary>
internal enum WireType : uint
{
    Varint = 0,
    Fixed64 = 1,
    Bytes = 2,
    StartGroup = 3,
    EndGroup = 4,
    Fixed32 = 5,
}
