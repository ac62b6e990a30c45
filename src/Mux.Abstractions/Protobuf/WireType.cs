namespace Mux.Protobuf;

/// <summary>The lower three bits of a protobuf tag: how the value after it is written.</summary>
internal enum WireType : uint
{
    Varint = 0,
    Fixed64 = 1,
    Bytes = 2,
    StartGroup = 3,
    EndGroup = 4,
    Fixed32 = 5,
}
