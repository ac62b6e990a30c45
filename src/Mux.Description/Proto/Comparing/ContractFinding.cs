namespace Mux.Description.Proto.Comparing;

/// <summary>A change of a contract that other programs notice.</summary>
/// <param name="Rule">The rule that it breaks.</param>
/// <param name="Element">Name of what changed, such as <c>hr.Employee.last_name</c>.</param>
/// <param name="Was">What is recorded.</param>
/// <param name="Is">What the code has.</param>
/// <param name="Remedy">How to do it compatibly, as an instruction.</param>
internal sealed record ContractFinding(ContractRule Rule, string Element, string Was, string Is, string Remedy)
{
    /// <summary>Gets the identifier of the diagnostic.</summary>
    public string Id => $"MUX{(int)Rule:0000}";

    /// <summary>Gets a value indicating whether programs may go on working.</summary>
    public bool IsWarning => !IsRaised && Rule is ContractRule.Presence or ContractRule.Promise or ContractRule.Access;

    /// <summary>Gets a value indicating whether it is an error, although others of its rule are warnings.</summary>
    public bool IsRaised { get; init; }

    /// <summary>Gets the recorded service, message or enum that it is in; null if there is none.</summary>
    public ProtoElement? RecordedType { get; init; }

    /// <summary>Gets the place of the recorded element in the text of its file.</summary>
    public ProtoPosition RecordedPosition { get; init; }

    /// <summary>Gets the service, message or enum of the code that it is in; null if that is gone.</summary>
    public ProtoElement? CurrentType { get; init; }

    /// <summary>Gets the method, field or value of the code; null if it is gone, or if the type itself changed.</summary>
    public ProtoElement? CurrentMember { get; init; }

    /// <summary>Gets what the owner of the contract does: how to change it compatibly, or how to accept the change as it is.</summary>
    public string Advice => Rule == ContractRule.Behind ? Remedy
        : IsWarning ? $"{Remedy}, or record it with 'mux contract update'"
        : $"{Remedy}, or accept it with 'mux contract update --accept \"reason\"'";

    /// <summary>Gets what a sentence says after the name of the element.</summary>
    public string Change => Sentence ?? $"was {Was} and is {Is}";

    /// <summary>Gets what it says instead, where before and after do not say it.</summary>
    public string? Sentence { get; init; }

    /// <summary>Gets the sentence for people.</summary>
    public string Text => $"'{Element}' {Change}; {Remedy}";
}

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
