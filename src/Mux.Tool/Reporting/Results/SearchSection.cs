namespace Mux.Tool.Reporting.Results;

/// <param name="Slo">What must hold.</param>
/// <param name="Precision">As a share.</param>
/// <param name="StepS">How long a run was at least, in seconds.</param>
/// <param name="ProbeRate">What a closed loop could do, in calls per second.</param>
internal sealed record SearchSection(string Slo, double Precision, double StepS, double ProbeRate);
