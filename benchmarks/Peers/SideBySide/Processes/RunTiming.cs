namespace SideBySide.Processes;

/// <summary>How long a run is.</summary>
/// <param name="Warmup">Seconds of load that do not count.</param>
/// <param name="Duration">Seconds that count.</param>
internal sealed record RunTiming(double Warmup, double Duration);
