namespace Mux.Tool.Load;

/// <summary>The load of a run, from its start until the last reply.</summary>
internal abstract class Load
{
    /// <summary>Numbers of calls made, dropped and open.</summary>
    public abstract LaneCounts Counts { get; }

    /// <summary>Starts to make calls.</summary>
    /// <returns>Completes when the run was stopped and the last call was answered. Fails only by an internal error of the tool.</returns>
    public abstract Task RunAsync();

    /// <summary>Starts the measurement and forgets observations of the warm-up.</summary>
    public virtual void BeginMeasurement()
    {
    }
}
