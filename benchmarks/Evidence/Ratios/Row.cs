using Evidence.Statistics;

namespace Evidence.Ratios;

/// <summary>A row of the table of goals.</summary>
/// <param name="Id">As goals are named: T1, C2.</param>
/// <param name="Workload">What was done.</param>
/// <param name="Figure">What came of it.</param>
/// <param name="Goal">What it should be.</param>
/// <param name="IsMet">Whether it is.</param>
internal sealed record Row(string Id, string Workload, string Figure, string Goal, bool IsMet)
{
    public const string Heading = "| id | workload | figure | goal | |\n|---|---|---|---|---|";

    public override string ToString() => $"| {Id} | {Workload} | {Figure} | {Goal} | {Verdict.Of(IsMet)} |";
}
