using Mux.Generators.Describing;
using Mux.Generators.Symbols;

namespace Mux.Generators.Messages.Models;

/// <summary>A message: a user's type, the arguments of a method, or a single value that is sent as field 1.</summary>
/// <param name="TypeName">The C# type, fully qualified and without annotations: the identity of the message.</param>
/// <param name="DisplayName">Name for errors.</param>
/// <param name="Codec">Name of the class that reads and writes it.</param>
/// <param name="IsStruct">True if the type is a struct.</param>
/// <param name="ChecksType">True if writing must check for objects of a derived type, which are rejected.</param>
/// <param name="Construction">Way to create an object.</param>
/// <param name="Parameters">For <see cref="Construction.Parameters"/>: index of the member for each parameter.</param>
/// <param name="ConstructorNeedsAccessor">For <see cref="Construction.Parameters"/>: true if required members prevent a direct call of the constructor.</param>
/// <param name="Members">Members by field number.</param>
internal sealed record MessageModel(
    string TypeName,
    string DisplayName,
    string Codec,
    bool IsStruct,
    bool ChecksType,
    Construction Construction,
    EquatableArray<int> Parameters,
    bool ConstructorNeedsAccessor,
    EquatableArray<MemberModel> Members)
{
    /// <summary>Name in protobuf; null for messages that the generator makes.</summary>
    public ProtoName? Proto { get; init; }

    /// <summary>Its description in protobuf; null if the project has none, and for messages that others describe.</summary>
    public DescriptionModel? Description { get; init; }

    /// <summary>What its fields may not have, because removed ones had it.</summary>
    public EquatableArray<ReservedModel> Reserved { get; init; }

    /// <summary>Place in a hierarchy of messages; null if there is none.</summary>
    public HierarchyModel? Hierarchy { get; init; }

    /// <summary>Type to read and write instead; the message then has no members of its own.</summary>
    public SurrogateModel? Surrogate { get; init; }

    /// <summary>Callbacks around reading and writing, at most one per moment.</summary>
    public EquatableArray<CallbackModel> Callbacks { get; init; }

    /// <summary>Member that keeps unknown fields; it has no number.</summary>
    public MemberModel? KeptFields { get; init; }

    /// <summary>Interface of protobuf-net that keeps unknown fields.</summary>
    public ExtensionModel? Extension { get; init; }

    /// <summary>True if messages around it write it in their runs of fields.</summary>
    public bool IsWrittenInRuns { get; init; }

    /// <summary>True if messages around it read it with their cursors.</summary>
    public bool IsReadInPlace { get; init; }

    /// <summary>Generic parts of the type; null if it is not generic.</summary>
    public GenericModel? Generic { get; init; }

    /// <summary>C# prefix of the name of an accessor.</summary>
    public string Accessors => Generic is null ? string.Empty : $"Of_Accessors<{Generic.Arguments}>.";

    /// <summary>
    /// True for an imported message, which is read and written as protobuf does, and not as protobuf-net does.
    /// </summary>
    public bool FollowsProtobuf { get; init; }

    /// <summary>True if unknown fields are kept in any way.</summary>
    public bool KeepsUnknown => KeptFields is not null || Extension is not null;

    /// <summary>Fields that hold the parts of derived classes, by number.</summary>
    public EquatableArray<IncludeModel> Includes => Hierarchy?.Includes ?? EquatableArray<IncludeModel>.Empty;

    /// <summary>True if the message is a bare value of another type, sent as field 1.</summary>
    public bool IsWrapper => Members.Count == 1 && Members[0].Read == ReadAccess.Self;
}
