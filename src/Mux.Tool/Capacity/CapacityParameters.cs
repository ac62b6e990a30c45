namespace Mux.Tool.Capacity;

/// <summary>Parameters of a search.</summary>
/// <param name="Objectives">Objectives to meet.</param>
/// <param name="Precision">Precision of the answer, as a share.</param>
/// <param name="Step">Minimum duration of a run.</param>
/// <param name="MaxLag">Lag (p99) that the generator may have; null for a tenth of the tightest limit.</param>
internal sealed record CapacityParameters(Objectives Objectives, double Precision, TimeSpan Step, TimeSpan? MaxLag = null);
