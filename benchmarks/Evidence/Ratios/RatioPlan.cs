using Evidence.Programs;

namespace Evidence.Ratios;

/// <param name="Pairs">How often each shape is measured, by Mux and the yardstick in turns.</param>
/// <param name="Timing">Of each run.</param>
/// <param name="Results">The folder for the result files; null to keep none.</param>
internal sealed record RatioPlan(int Pairs, Timing Timing, string? Results)
{
    /// <summary>Keeps the file of a row.</summary>
    public void Keep(BenchFigures figures, string name)
    {
        if (Results is null) return;
        Directory.CreateDirectory(Results);
        figures.Save(Path.Combine(Results, $"{name}.json"));
    }
}
