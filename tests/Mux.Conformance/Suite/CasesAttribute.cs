namespace Mux.Conformance.Suite;

/// <summary>The cases of the table in README.md that a test class is about, by number.</summary>
[AttributeUsage(AttributeTargets.Class)]
public sealed class CasesAttribute(params int[] numbers) : Attribute
{
    public IReadOnlyList<int> Numbers => numbers;
}
