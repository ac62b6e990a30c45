namespace Mux.Description;

/// <summary>Types of fields in protobuf, with their numbers in descriptors.</summary>
public enum FieldKind
{
    /// <summary>A double.</summary>
    Double = 1,

    /// <summary>A float.</summary>
    Float = 2,

    /// <summary>A signed integer of 64 bits; negative values take ten bytes.</summary>
    Int64 = 3,

    /// <summary>An unsigned integer of 64 bits.</summary>
    UInt64 = 4,

    /// <summary>A signed integer of 32 bits; negative values take ten bytes.</summary>
    Int32 = 5,

    /// <summary>An unsigned integer of eight bytes.</summary>
    Fixed64 = 6,

    /// <summary>An unsigned integer of four bytes.</summary>
    Fixed32 = 7,

    /// <summary>A bool.</summary>
    Bool = 8,

    /// <summary>A text.</summary>
    String = 9,

    /// <summary>A message between two tags.</summary>
    Group = 10,

    /// <summary>A message.</summary>
    Message = 11,

    /// <summary>Bytes.</summary>
    Bytes = 12,

    /// <summary>An unsigned integer of 32 bits.</summary>
    UInt32 = 13,

    /// <summary>A value of an enum.</summary>
    Enum = 14,

    /// <summary>A signed integer of four bytes.</summary>
    SFixed32 = 15,

    /// <summary>A signed integer of eight bytes.</summary>
    SFixed64 = 16,

    /// <summary>A signed integer of 32 bits with its sign in the lowest bit.</summary>
    SInt32 = 17,

    /// <summary>A signed integer of 64 bits with its sign in the lowest bit.</summary>
    SInt64 = 18,
}
