namespace Mux.Tool.Capacity;

/// <summary>A verdict and why, in a few words; for a rate that holds, nothing.</summary>
internal readonly record struct StepFinding(StepVerdict Verdict, string Reason);
