namespace Mux.Description.Tests.Comparing;

/// <summary>A change of a contract that breaks a rule, and a similar change that breaks none.</summary>
/// <param name="Id">The rule.</param>
/// <param name="What">What changes, for the test list.</param>
/// <param name="Before">What is recorded.</param>
/// <param name="After">What others notice.</param>
/// <param name="Fine">What they do not.</param>
/// <param name="Says">A part of the text.</param>
public sealed record RuleCase(string Id, string What, string Before, string After, string Fine, string Says)
{
    /// <summary>True if only the names in JSON change.</summary>
    public bool IsJson { get; init; }

    public override string ToString() => $"{Id} {What}";
}
