namespace Mux.Tool.Capacity;

/// <summary>A rate that was tried.</summary>
/// <param name="Rate">Calls per second.</param>
/// <param name="Purpose">Purpose: ramp, bisection, confirmation, above.</param>
/// <param name="Finding">Finding of most of its runs.</param>
/// <param name="Runs">Findings of its runs, in order.</param>
/// <param name="Typical">The run that represents them: the last one with that verdict.</param>
internal sealed record CapacityStep(double Rate, string Purpose, StepFinding Finding, IReadOnlyList<StepFinding> Runs, StepMeasurement Typical)
{
    /// <summary>True if the generator was the limit in two runs; one late run is a disturbance.</summary>
    public bool IsGeneratorLimit => Runs.Count(run => run.Verdict == StepVerdict.Saturated) > 1;
}
