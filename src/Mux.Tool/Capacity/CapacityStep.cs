namespace Mux.Tool.Capacity;

/// <summary>A rate that was tried.</summary>
/// <param name="Rate">Calls per second.</param>
/// <param name="Purpose">Why it was tried: ramp, bisection, confirmation, above.</param>
/// <param name="Finding">What most of its runs came to.</param>
/// <param name="Runs">What each came to, in their order.</param>
/// <param name="Typical">The run that stands for them: the last one with that verdict.</param>
internal sealed record CapacityStep(double Rate, string Purpose, StepFinding Finding, IReadOnlyList<StepFinding> Runs, StepMeasurement Typical);
