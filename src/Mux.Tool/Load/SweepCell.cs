namespace Mux.Tool.Load;

/// <summary>A cell of a grid, and what was measured there.</summary>
internal sealed record SweepCell(int Connections, int InFlight, int? Size, BenchOutcome Outcome);
