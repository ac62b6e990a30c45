namespace Mux.Tool.Load;

/// <summary>What calls a server in a run, from its start until the last reply.</summary>
internal abstract class Load
{
    /// <summary>Calls made, dropped and open.</summary>
    public abstract LaneCounts Counts { get; }

    /// <summary>Begins to make calls.</summary>
    /// <returns>Completes when the run was stopped and the last call was answered. Fails by a defect of the tool only.</returns>
    public abstract Task RunAsync();

    /// <summary>The measurement begins: what was looked at in the warm-up is forgotten.</summary>
    public virtual void BeginMeasurement()
    {
    }
}
