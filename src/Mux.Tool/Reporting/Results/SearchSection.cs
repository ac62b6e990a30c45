namespace Mux.Tool.Reporting.Results;

/// <param name="Slo">Objectives.</param>
/// <param name="Precision">Precision, as a share.</param>
/// <param name="StepS">Minimum duration of a run, in seconds.</param>
/// <param name="ProbeRate">Rate of a closed loop, in calls per second.</param>
internal sealed record SearchSection(string Slo, double Precision, double StepS, double ProbeRate);
