using System.ComponentModel;

namespace Mux.Contracts;

/// <summary>
/// The options of a contract for one method: those of its <see cref="MuxMethodAttribute"/>, else those of its <see cref="MuxServiceAttribute"/>. A request is
/// sent with those that both sides need.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly record struct MethodChoices
{
    /// <summary>Gets where user code runs; <see cref="MuxDispatchMode.Default"/> if the contract does not say.</summary>
    public MuxDispatchMode Dispatch { get; init; }

    /// <summary>Gets a value indicating whether handlers of one key, or of one connection, run one after the other.</summary>
    public bool KeepsOrder => Dispatch is MuxDispatchMode.Ordered or MuxDispatchMode.Serial;

    /// <summary>Gets the time limit of calls whose options set none; null if the contract sets none.</summary>
    public TimeSpan? Timeout { get; init; }

    /// <summary>Gets the priority of calls whose options set none.</summary>
    public MuxCallPriority Priority { get; init; }

    /// <summary>Gets a value indicating whether the contract promises that a second run of a handler has no further effect.</summary>
    public bool Idempotent { get; init; }

    /// <summary>
    /// Gets the maximum length of a request, item or reply in bytes, if it is less than the limit of the receiving side; 0 if the contract does not say.
    /// </summary>
    public int MaxMessageBytes { get; init; }

    /// <summary>
    /// Gets where user code runs, given the mode of the channel or server for contracts that do not say. Never <see cref="MuxDispatchMode.Default"/>, nor an
    /// order, which does not say where.
    /// </summary>
    public MuxDispatchMode DispatchOr(MuxDispatchMode fallback)
    {
        var chosen = Dispatch == MuxDispatchMode.Default || KeepsOrder ? fallback : Dispatch;
        return chosen == MuxDispatchMode.Default ? MuxDispatchMode.Adaptive : chosen;
    }
}
