namespace Mux.Generators.Models;

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
    /// <summary>Whether the message is a bare value of another type, sent as field 1.</summary>
    public bool IsWrapper => Members.Count == 1 && Members[0].Read == ReadAccess.Self;
}
