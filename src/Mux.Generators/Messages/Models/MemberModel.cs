using Mux.Protobuf;

namespace Mux.Generators.Messages.Models;

/// <summary>One field of a message.</summary>
/// <param name="Number">The field number, 1 to 536,870,911.</param>
/// <param name="Name">C# name, as shown in errors.</param>
/// <param name="TypeName">Declared C# type, fully qualified, without a nullable annotation at its end.</param>
/// <param name="Value">The value, or the item of a list.</param>
/// <param name="Container">Container of the values.</param>
/// <param name="IsPacked">True if a list is written as one block.</param>
/// <param name="Default">C# literal of the value that is not written; null if every value is.</param>
/// <param name="Read">Way to read the member.</param>
/// <param name="Write">Way to write the member.</param>
/// <param name="BackingField">Metadata name of the field for <see cref="ReadAccess.Field"/> or <see cref="WriteAccess.Field"/>.</param>
/// <param name="Collection">The collection for <see cref="Container.Collection"/>.</param>
/// <param name="IsItemNullable">True if items have the nullable type of the value; null is rejected.</param>
/// <param name="Overwrites">True if consecutive items replace the content of the member instead of being added.</param>
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
    /// <summary>C# type as declared in the generic type of the message; null if the message is not generic.</summary>
    public string? DefinitionType { get; init; }

    /// <summary>True if the declaration allows null; type arguments of Nullable are in <see cref="Container"/>.</summary>
    public bool IsOptional { get; init; }

    /// <summary>The constant that its initializer gives it; null if it has none, or its value in a message is always written or zero.</summary>
    public string? Initial { get; init; }

    /// <summary>Condition for writing the member; null if its value decides.</summary>
    public ConditionModel? Condition { get; init; }

    /// <summary>True if the member is an array (of items or bytes) or a collection whose parts are joined after the last field of the message.</summary>
    public bool IsJoined => Container == Container.Array || Collection is { IsStack: false }
        || (Container is Container.Single or Container.Nullable && Value is BytesModel && !Overwrites);

    public bool IsRepeated => Container is Container.List or Container.Array or Container.Collection;

    /// <summary>The C# type of an item.</summary>
    public string ItemTypeName => IsItemNullable ? Value.TypeName + "?" : Value.TypeName;

    /// <summary>True if packed blocks are copied unchanged.</summary>
    public bool CopiesBlocks => Value is ScalarModel { IsBlittable: true } && Container is Container.List or Container.Array && !IsItemNullable && !Overwrites;

    /// <summary>C# expression for an empty list; null if the member is not a list.</summary>
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

    /// <summary>Size of the tag in bytes.</summary>
    public int TagSize => TagSizeOf(Number);

    /// <summary>Gets the size of the tag of a field in bytes.</summary>
    public static int TagSizeOf(int number) => number switch
    {
        < 1 << 4 => 1,
        < 1 << 11 => 2,
        < 1 << 18 => 3,
        < 1 << 25 => 4,
        _ => 5,
    };
}
