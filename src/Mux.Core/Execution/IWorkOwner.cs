namespace Mux.Execution;

/// <summary>A channel or server whose work <see cref="Workers"/> run.</summary>
internal interface IWorkOwner
{
    /// <summary>
    /// No work of one kind has started for a second, and the item that has waited longest is this owner's: of all whose work waits, only this one is told. At
    /// most once a second, on a thread that may block; while it does, nothing more of that kind is told.
    /// </summary>
    void OnStalled(WorkStall stall);
}
