namespace Mux.Tool.Load;

/// <summary>A cell of a grid with its measurement.</summary>
internal sealed record SweepCell(int Connections, int InFlight, int? Size, BenchOutcome Outcome);
