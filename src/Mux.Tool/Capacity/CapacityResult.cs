using Mux.Tool.Load;

namespace Mux.Tool.Capacity;

/// <summary>A search with its parameters and runs.</summary>
/// <param name="Configuration">Configuration of the calls.</param>
/// <param name="Search">Parameters of the search.</param>
/// <param name="Probe">The closed loop before the search.</param>
/// <param name="Answer">The answer.</param>
/// <param name="Runs">All runs, in order.</param>
internal sealed record CapacityResult(
    BenchConfiguration Configuration,
    CapacityParameters Search,
    BenchOutcome Probe,
    CapacityAnswer Answer,
    IReadOnlyList<BenchOutcome> Runs)
{
    /// <summary>Maximum rate of handlers with a known cost, computed from the time they really took, in calls per second; null if unknown.</summary>
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
