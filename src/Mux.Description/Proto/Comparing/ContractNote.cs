namespace Mux.Description.Proto.Comparing;

/// <summary>A part of the code that is not recorded, or is recorded otherwise, and that no other program notices.</summary>
/// <param name="Type">The service, message or enum of the code that it is, or is in.</param>
/// <param name="Member">The method, field or value; null for the type itself.</param>
/// <param name="What">What changed, such as <c>int32 became int64</c>.</param>
/// <param name="IsNew">True if no file records it.</param>
internal sealed record ContractNote(ProtoElement Type, ProtoElement? Member, string What, bool IsNew)
{
    /// <summary>Gets the name of the part as people know it.</summary>
    public string Element => ContractComparison.NameOf(Type, Member);

    /// <summary>Gets what a sentence says after the name.</summary>
    public string Change => $"{(IsNew ? "is not recorded" : "is recorded otherwise")}: {What}";
}
