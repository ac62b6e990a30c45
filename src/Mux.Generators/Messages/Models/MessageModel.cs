using Mux.Generators.Symbols;

namespace Mux.Generators.Messages.Models;

/// <summary>A message, whether a type of the user's, the arguments of a method, or a single value that is sent as field 1.</summary>
/// <param name="TypeName">The C# type, fully qualified and without annotations: the identity of the message.</param>
/// <param name="DisplayName">What errors call it.</param>
/// <param name="Codec">The name of the class that reads and writes it.</param>
/// <param name="IsStruct">Whether the type is a struct.</param>
/// <param name="ChecksType">Whether an object of a derived type may come, which is refused.</param>
/// <param name="Construction">How an object is made.</param>
/// <param name="Parameters">For <see cref="Construction.Parameters"/>, the index of the member for each parameter.</param>
/// <param name="ConstructorNeedsAccessor">For <see cref="Construction.Parameters"/>, whether required members keep the constructor from being called.</param>
/// <param name="Members">By field number.</param>
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
    /// <summary>The place among messages that inherit each other; null for all others.</summary>
    public HierarchyModel? Hierarchy { get; init; }

    /// <summary>What is read and written instead; the message then has no members of its own.</summary>
    public SurrogateModel? Surrogate { get; init; }

    /// <summary>Methods that are called around reading and writing, each moment once at most.</summary>
    public EquatableArray<CallbackModel> Callbacks { get; init; }

    /// <summary>The member that keeps fields that are not known; it has no number.</summary>
    public MemberModel? KeptFields { get; init; }

    /// <summary>The interface of protobuf-net through which such fields are kept.</summary>
    public ExtensionModel? Extension { get; init; }

    /// <summary>Whether messages around it write it in their runs of fields.</summary>
    public bool IsWrittenInRuns { get; init; }

    /// <summary>Whether messages around it read it by their cursors.</summary>
    public bool IsReadInPlace { get; init; }

    /// <summary>What the type has of a generic one; null if it is none.</summary>
    public GenericModel? Generic { get; init; }

    /// <summary>The C# before the name of an accessor.</summary>
    public string Accessors => Generic is null ? string.Empty : $"Accessors<{Generic.Arguments}>.";

    /// <summary>Whether fields that are not known are kept in any way.</summary>
    public bool KeepsUnknown => KeptFields is not null || Extension is not null;

    /// <summary>The fields that hold the parts of derived classes, by number.</summary>
    public EquatableArray<IncludeModel> Includes => Hierarchy?.Includes ?? EquatableArray<IncludeModel>.Empty;

    /// <summary>Whether the message is a bare value of another type, sent as field 1.</summary>
    public bool IsWrapper => Members.Count == 1 && Members[0].Read == ReadAccess.Self;
}
