namespace Mux.Tool.Capacity;

/// <summary>A verdict with a short reason, which is empty for a passing rate.</summary>
internal readonly record struct StepFinding(StepVerdict Verdict, string Reason);
