using System.Diagnostics;

namespace Mux.Tool.Chaos;

/// <summary>The plan in force and its clock. Thread-safe.</summary>
internal sealed class ChaosSwitch(ChaosPlan plan)
{
    private readonly long _startedAt = Stopwatch.GetTimestamp();
    private volatile State _state = new(plan);

    /// <summary>The plan; another one is in force for the next bytes of all connections.</summary>
    public ChaosPlan Plan
    {
        get => _state.Plan;
        set
        {
            var before = Interlocked.Exchange(ref _state, new State(value));
            before.Replaced.SetResult();
        }
    }

    /// <summary>True if a connection has faults now.</summary>
    /// <param name="draw">The number that the connection drew, from 0 to less than 1.</param>
    public bool IsStruck(double draw) => IsStruck(_state.Plan, draw);

    /// <summary>Gets the faults of a connection now.</summary>
    public ChaosFaults Faults(double draw, ChaosWay way)
    {
        var now = _state.Plan;
        return IsStruck(now, draw) ? now.Of(way) : ChaosFaults.None;
    }

    /// <summary>Waits until the faults of a connection may be others than those that were seen.</summary>
    public async Task ChangedAsync(double draw, ChaosWay way, ChaosFaults seen, CancellationToken cancellationToken)
    {
        var state = _state;
        if (!ReferenceEquals(Faults(draw, way), seen)) return; // also after the state was read: its replacement completes the task below
        var untilChange = state.Plan.Window.UntilChange(Stopwatch.GetElapsedTime(_startedAt)) ?? Timeout.InfiniteTimeSpan;
        try
        {
            await state.Replaced.Task.WaitAsync(untilChange, TimeProvider.System, cancellationToken).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            // The window opens or closes.
        }
    }

    private bool IsStruck(ChaosPlan now, double draw) => draw < now.Share && now.Window.IsOpen(Stopwatch.GetElapsedTime(_startedAt));

    private sealed record State(ChaosPlan Plan)
    {
        public TaskCompletionSource Replaced { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);
    }
}
