namespace Mux.Runtime;

/// <summary>A channel or server whose work <see cref="Workers"/> run.</summary>
internal interface IWorkOwner
{
    /// <summary>
    /// Reports that no work of one kind has started for a second, and that this owner's item has waited longest. Only that owner is told, at most once a
    /// second, on a thread that may block; until it returns, no further stall of that kind is reported.
    /// </summary>
    void OnStalled(WorkStall stall);
}
