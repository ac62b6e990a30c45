namespace Mux.Contracts;

/// <summary>
/// The choices of a contract for one method: those of its <see cref="MuxMethodAttribute"/>, else those of its <see cref="MuxServiceAttribute"/>. Sent in the
/// head of a request where both sides need them.
/// </summary>
public readonly record struct MethodChoices
{
    /// <summary>Gets where user code runs; <see cref="MuxDispatchMode.Default"/> where the contract does not say.</summary>
    public MuxDispatchMode Dispatch { get; init; }

    /// <summary>Gets the time limit of a call whose caller sets none; null where the contract does not say.</summary>
    public TimeSpan? Timeout { get; init; }

    /// <summary>Gets the share of a connection that calls get whose callers do not choose one.</summary>
    public MuxCallPriority Priority { get; init; }

    /// <summary>Gets a value indicating whether the contract promises that a second run of a handler has no further effect.</summary>
    public bool Idempotent { get; init; }

    /// <summary>
    /// Gets the maximum length of a request, item or reply in bytes, where it is less than the limit of the receiving side; 0 where the contract does not say.
    /// </summary>
    public int MaxMessageBytes { get; init; }

    /// <summary>
    /// Gets where user code runs, given the choice of the channel or server for contracts that make none. Never <see cref="MuxDispatchMode.Default"/>.
    /// </summary>
    public MuxDispatchMode DispatchOr(MuxDispatchMode fallback)
    {
        var chosen = Dispatch == MuxDispatchMode.Default ? fallback : Dispatch;
        return chosen == MuxDispatchMode.Default ? MuxDispatchMode.Adaptive : chosen;
    }
}
