using Mux.Serialization;

namespace Mux.Generators.Models;

/// <summary>One field of a message.</summary>
/// <param name="Number">The field number, 1 to 536,870,911.</param>
/// <param name="Name">The C# name, as errors show it.</param>
/// <param name="TypeName">The declared C# type, fully qualified and without an annotation of its own.</param>
/// <param name="Value">The value, or the item of a list.</param>
/// <param name="Container">How often the value occurs.</param>
/// <param name="IsPacked">Whether a list is written as one block.</param>
/// <param name="Default">A C# literal of the value that is not written; null if every value is.</param>
/// <param name="Read">How the member is read.</param>
/// <param name="Write">How the member is written.</param>
/// <param name="BackingField">The metadata name of the field behind <see cref="ReadAccess.Field"/> or <see cref="WriteAccess.Field"/>.</param>
internal sealed record MemberModel(
    int Number,
    string Name,
    string TypeName,
    ValueModel Value,
    Container Container,
    bool IsPacked,
    string? Default,
    ReadAccess Read,
    WriteAccess Write,
    string? BackingField = null)
{
    /// <summary>Whether the member is an array, of items or of bytes, whose parts are joined behind the last field of the message.</summary>
    public bool IsJoined => Container == Container.Array || (Container == Container.Single && Value is BytesModel);

    public bool IsRepeated => Container is Container.List or Container.Array;

    /// <summary>A C# expression for a list without items; null if this is none.</summary>
    public string? Empty => Container switch
    {
        Container.List => $"new {TypeName}()",
        Container.Array => $"global::System.Array.Empty<{Value.TypeName}>()",
        _ => null,
    };

    /// <summary>The tag of a single value.</summary>
    public uint Tag => TagOf(Value.WireType);

    /// <summary>The tag of this field with another wire type.</summary>
    public uint TagOf(WireType wireType) => ((uint)Number << 3) | (uint)wireType;

    /// <summary>Bytes of the tag.</summary>
    public int TagSize => Number switch
    {
        < 1 << 4 => 1,
        < 1 << 11 => 2,
        < 1 << 18 => 3,
        < 1 << 25 => 4,
        _ => 5,
    };
}
