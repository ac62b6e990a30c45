using Mux.Tool.Load;

namespace Mux.Tool.Reporting.Results;

/// <summary>Result of <c>mux sweep</c> for programs, schema mux.sweep/1: README.md lists every field.</summary>
/// <param name="Schema">mux.sweep/1.</param>
/// <param name="Environment">Machines and processes.</param>
/// <param name="Configuration">Configuration of the calls; connections, in_flight and size are those of the first cell.</param>
/// <param name="Cells">Cells in the order of their measurement.</param>
internal sealed record SweepFile(string Schema, EnvironmentSection Environment, ConfigurationSection Configuration, IReadOnlyList<CellEntry> Cells)
{
    public const string CurrentSchema = "mux.sweep/1";

    public static SweepFile Of(IReadOnlyList<SweepCell> cells) => new(
        CurrentSchema,
        EnvironmentSection.Of(cells[0].Outcome),
        ConfigurationSection.Of(cells[0].Outcome, repeat: 1),
        [.. cells.Select(cell => new CellEntry(cell.Connections, cell.InFlight, cell.Size, CiSection.Of(cell.Outcome)))]);
}
