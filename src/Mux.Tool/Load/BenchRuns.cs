using System.Collections;
using Mux.Tool.Capacity;

namespace Mux.Tool.Load;

/// <summary>The runs of a bench, at least one, in order.</summary>
internal sealed class BenchRuns(IReadOnlyList<BenchOutcome> runs) : IReadOnlyList<BenchOutcome>
{
    // Priority of exit codes if runs end differently: a fault, a lost connection, a server that was not reached, an interruption, invalid figures.
    private static readonly int[] s_byWeight =
        [Tool.ExitCode.Faulty, Tool.ExitCode.ConnectionLost, Tool.ExitCode.Unreachable, Tool.ExitCode.Interrupted, Tool.ExitCode.Invalid];

    public int Count => runs.Count;

    /// <summary>The run with the median rate; of two, the slower one.</summary>
    public BenchOutcome Median { get; } = runs.OrderBy(run => run.Rate).ElementAt((runs.Count - 1) / 2);

    /// <summary>The objectives and their outcome; null if there are none.</summary>
    public ObjectivesOutcome? Objectives { get; } = runs[0].Configuration.Objectives is { } objectives ? ObjectivesOutcome.Of(objectives, runs) : null;

    public int ExitCode
    {
        get
        {
            int code = s_byWeight.FirstOrDefault(code => runs.Any(run => run.ExitCode == code), Tool.ExitCode.Success);
            if (code != Tool.ExitCode.Success || Objectives is null or { IsMet: true }) return code;
            return Objectives.IsMet is null ? Tool.ExitCode.Invalid : Tool.ExitCode.Faulty;
        }
    }

    public BenchOutcome this[int index] => runs[index];

    public IEnumerator<BenchOutcome> GetEnumerator() => runs.GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}
