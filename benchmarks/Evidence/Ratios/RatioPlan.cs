using Evidence.Programs;

namespace Evidence.Ratios;

/// <param name="Pairs">How often each shape is measured, by Mux and the yardstick in turns.</param>
/// <param name="Timing">Of each run.</param>
/// <param name="Results">The folder of the summary; null to keep none.</param>
internal sealed record RatioPlan(int Pairs, Timing Timing, string? Results)
{
    /// <summary>Keeps the row of a workload.</summary>
    public void Keep(BenchFigures figures, string name)
    {
        if (Results is not null) Summary.Write(Path.Combine(Results, "summary.csv"), name, figures);
    }
}
