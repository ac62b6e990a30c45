namespace Mux.Generators.Messages.Models;

/// <summary>Encodings of numbers.</summary>
internal enum ScalarFormat
{
    /// <summary>7 bits a byte; negative numbers take ten bytes.</summary>
    Varint,

    /// <summary>As a varint, with the sign in the lowest bit.</summary>
    ZigZag,

    /// <summary>4 bytes, or 8 for types of 64 bits.</summary>
    Fixed,
}
