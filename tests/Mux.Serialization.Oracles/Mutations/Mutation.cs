namespace Mux.Serialization.Oracles.Mutations;

/// <summary>What is done to bytes that were a message.</summary>
internal enum Mutation
{
    /// <summary>A bit is another.</summary>
    FlipBit,

    /// <summary>A byte is any other, most often one of the awkward: 0, 1, 0x7f, 0x80, 0xff.</summary>
    SetByte,

    /// <summary>The message ends early.</summary>
    Truncate,

    /// <summary>The head of one message and the tail of another.</summary>
    Splice,

    /// <summary>Random bytes in between.</summary>
    Insert,

    /// <summary>Some bytes are gone.</summary>
    Remove,

    /// <summary>A varint says the same in more bytes than it needs, up to eleven.</summary>
    Stretch,

    /// <summary>A length says something else: a little, or a lot.</summary>
    Lie,

    /// <summary>The start of a group, its end, or both around a field.</summary>
    Group,

    /// <summary>A field stands twice, or many times.</summary>
    Duplicate,

    /// <summary>A field stands somewhere else.</summary>
    Move,

    /// <summary>The wire type of a field is another.</summary>
    Retype,

    /// <summary>The message stands in a field of itself, many times over.</summary>
    Nest,
}
