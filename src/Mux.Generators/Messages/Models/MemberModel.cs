using Mux.Serialization;

namespace Mux.Generators.Messages.Models;

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
/// <param name="Collection">For <see cref="Container.Collection"/>, which one it is.</param>
/// <param name="IsItemNullable">Whether items are of the nullable type of the value; null is refused.</param>
/// <param name="Overwrites">Whether items that follow each other replace what the member holds, instead of being added to it.</param>
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
    string? BackingField = null,
    CollectionModel? Collection = null,
    bool IsItemNullable = false,
    bool Overwrites = false)
{
    /// <summary>The C# type as the generic type declares it of which the message is made; null where nothing is generic.</summary>
    public string? DefinitionType { get; init; }

    /// <summary>What says whether the member is written; null where its value does.</summary>
    public ConditionModel? Condition { get; init; }

    /// <summary>Whether the member is an array, of items or of bytes, or a collection, whose parts are joined behind the last field of the message.</summary>
    public bool IsJoined => Container == Container.Array || Collection is { IsStack: false }
        || (Container is Container.Single or Container.Nullable && Value is BytesModel && !Overwrites);

    public bool IsRepeated => Container is Container.List or Container.Array or Container.Collection;

    /// <summary>The C# type of an item.</summary>
    public string ItemTypeName => IsItemNullable ? Value.TypeName + "?" : Value.TypeName;

    /// <summary>Whether packed blocks are copied as they are.</summary>
    public bool CopiesBlocks => Value is ScalarModel { IsBlittable: true } && Container is Container.List or Container.Array && !IsItemNullable && !Overwrites;

    /// <summary>A C# expression for a list without items; null if this is none.</summary>
    public string? Empty => Container switch
    {
        Container.List => $"new {TypeName}()",
        Container.Array => $"global::System.Array.Empty<{ItemTypeName}>()",
        Container.Collection => Collection!.Empty,
        _ => null,
    };

    /// <summary>The tag of a single value.</summary>
    public uint Tag => Value.TagOf(Number);

    /// <summary>The tag of this field with another wire type.</summary>
    public uint TagOf(WireType wireType) => ((uint)Number << 3) | (uint)wireType;

    /// <summary>Bytes of the tag.</summary>
    public int TagSize => TagSizeOf(Number);

    /// <summary>Bytes of the tag of a field.</summary>
    public static int TagSizeOf(int number) => number switch
    {
        < 1 << 4 => 1,
        < 1 << 11 => 2,
        < 1 << 18 => 3,
        < 1 << 25 => 4,
        _ => 5,
    };
}
