namespace Mux.Tool.Reporting.Results;

/// <param name="Slo">Objectives.</param>
/// <param name="Precision">Precision, as a share.</param>
/// <param name="StepS">Minimum duration of a run, in seconds.</param>
/// <param name="ProbeRate">Rate of a closed loop, in calls per second.</param>
/// <param name="MaxLagUs">Lag (p99) that the generator may have, in microseconds; null for a tenth of the tightest limit.</param>
internal sealed record SearchSection(string Slo, double Precision, double StepS, double ProbeRate, double? MaxLagUs = null);
