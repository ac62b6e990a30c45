namespace Mux.Execution;

/// <summary>A channel or server whose work <see cref="Workers"/> run.</summary>
internal interface IWorkOwner
{
    /// <summary>Its work waits, and no work of the same kind has started for some time. On a thread of its own, at most once a second.</summary>
    void OnStalled(WorkStall stall);
}
