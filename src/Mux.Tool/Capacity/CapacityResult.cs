using Mux.Tool.Load;

namespace Mux.Tool.Capacity;

/// <summary>A search and all that it was about.</summary>
/// <param name="Configuration">What was called.</param>
/// <param name="Objectives">What must hold.</param>
/// <param name="Precision">How close to find it, as a share.</param>
/// <param name="Step">How long a run was, at least.</param>
/// <param name="Probe">The closed loop before it.</param>
/// <param name="Answer">What it came to.</param>
/// <param name="Runs">Every run, in their order.</param>
internal sealed record CapacityResult(
    BenchConfiguration Configuration,
    Objectives Objectives,
    double Precision,
    TimeSpan Step,
    BenchOutcome Probe,
    CapacityAnswer Answer,
    IReadOnlyList<BenchOutcome> Runs)
{
    /// <summary>What handlers of known cost can do at most, by what they really took, in calls per second; null if they do not tell.</summary>
    public double? ComputedLimit
    {
        get
        {
            double busy = 0;
            long calls = 0;
            foreach (var server in Runs.Select(run => run.Server).OfType<Measuring.ProcessUsage>())
            {
                (busy, calls) = (busy + server.HandlerMicroseconds, calls + server.HandlerCalls);
            }

            return calls == 0 || Probe.Handlers is not { Workers: > 0 } handlers ? null : handlers.Workers * calls / busy * 1e6;
        }
    }

    public int ExitCode => Answer.IsAtLeast ? Tool.ExitCode.Invalid : Answer.Rate == 0 ? Tool.ExitCode.Faulty : Answer.IsConfirmed ? Tool.ExitCode.Success
        : Tool.ExitCode.Invalid;
}
