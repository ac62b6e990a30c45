using Mux.Tool.Load;

namespace Mux.Tool.Reporting.Results;

/// <summary>A grid for programs, schema mux.sweep/1: README.md lists every field.</summary>
/// <param name="Schema">mux.sweep/1.</param>
/// <param name="Environment">What it ran on.</param>
/// <param name="Configuration">What was called; connections, in_flight and size are those of the first cell.</param>
/// <param name="Cells">In the order they were measured.</param>
internal sealed record SweepFile(string Schema, EnvironmentSection Environment, ConfigurationSection Configuration, IReadOnlyList<CellEntry> Cells)
{
    public const string CurrentSchema = "mux.sweep/1";

    public static SweepFile Of(IReadOnlyList<SweepCell> cells) => new(
        CurrentSchema,
        new EnvironmentSection(cells[0].Outcome.ClientEnvironment, cells[0].Outcome.ServerEnvironment),
        ConfigurationSection.Of(cells[0].Outcome, repeat: 1),
        [.. cells.Select(cell => new CellEntry(cell.Connections, cell.InFlight, cell.Size, CiSection.Of(cell.Outcome)))]);
}
