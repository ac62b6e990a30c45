namespace Mux.Serialization.Oracles.Differences;

/// <summary>
/// What Google's C# library and ours, which does as protobuf-net, take differently. Those of <see cref="Refused"/> we refuse and Google's library cuts to size or passes over; with the others
/// both may read the message, and then it need not say the same.
/// </summary>
[Flags]
public enum Difference
{
    None = 0,

    /// <summary>A tag of more than 32 bits or five bytes. Google: cut to 32 bits.</summary>
    LongTag = 1 << 0,

    /// <summary>A number of 32 bits in more than five bytes, but for a negative one in ten, or one of more bits. Google: cut to 32 bits.</summary>
    LongNumber = 1 << 1,

    /// <summary>
    /// A length of more than 31 bits, or one in more than five bytes before a string, bytes or a packed block. Google: cut to 32 bits, and a negative one before a packed block goes unnoticed.
    /// </summary>
    LongLength = 1 << 2,

    /// <summary>A number of more than 64 bits in ten bytes. Google: cut to 64 bits.</summary>
    HugeNumber = 1 << 3,

    /// <summary>A known field in a wire type that it cannot be read from. Google: an unknown field.</summary>
    UnreadableType = 1 << 4,

    /// <summary>A number that the C# type of our member does not hold. In Google's world there are no such types.</summary>
    OutOfRange = 1 << 5,

    /// <summary>64 messages and groups inside one another. Google: 100.</summary>
    TooDeep = 1 << 6,

    /// <summary>A packed block directly behind a single item of the same field. Google: appended.</summary>
    BlockBehindItem = 1 << 7,

    /// <summary>A wire type that does not exist, 6 or 7. Google: the tag alone is passed over.</summary>
    NoType = 1 << 8,

    /// <summary>A known field in a wire type that it can be read from as well: an integer of fixed size, a double for a float, a group for a message. Google: an unknown field.</summary>
    OtherType = 1 << 9,

    /// <summary>Bytes that come twice: appended. Google: replaced.</summary>
    BytesTwice = 1 << 10,

    /// <summary>A message that is a date, a span, a Guid or a decimal comes twice: replaced. Google: merged.</summary>
    ValueTwice = 1 << 11,

    /// <summary>Such a value, or a text or number that is one, in a form in which we do not write it: read if it says a value, else refused. Google has no such values.</summary>
    OtherForm = 1 << 12,

    /// <summary>All that we refuse.</summary>
    Refused = LongTag | LongNumber | LongLength | HugeNumber | UnreadableType | OutOfRange | TooDeep | BlockBehindItem | NoType,
}
