using Mux.Contracts;

namespace Mux.Sessions.Calls;

/// <summary>Why a call failed, as far as the engine knows it; the typed call makes the exception of it.</summary>
/// <param name="Status">How it ended.</param>
/// <param name="Execution">Whether the handler ran.</param>
/// <param name="Phase">How far the call had come.</param>
/// <param name="Text">What happened, for people.</param>
/// <param name="Error">The error behind it, if there is one.</param>
/// <param name="IsCallerCancel">The caller's own token ended the call.</param>
internal sealed record CallFailure(
    MuxStatus Status,
    MuxExecution Execution,
    MuxCallPhase Phase,
    string Text,
    Exception? Error = null,
    bool IsCallerCancel = false)
{
    /// <summary>What the peer says of when to call again; 0 for nothing.</summary>
    public uint RetryAfterMilliseconds { get; init; }

    /// <summary>The number that the contract gives to <see cref="Detail"/>; 0 if there is none.</summary>
    public int DetailNumber { get; init; }

    /// <summary>The encoded detail that came.</summary>
    public byte[]? Detail { get; init; }

    /// <summary>
    /// Whether the text is one that the handler wrote for its caller. The wire does not say: with a status that the server itself gives to executed calls, the
    /// text may as well be the server's, which needs the rest of the sentence.
    /// </summary>
    private bool IsChosenByHandler => Phase == MuxCallPhase.Handler && Execution == MuxExecution.Executed
        && Status is not (MuxStatus.Unknown or MuxStatus.Cancelled or MuxStatus.DeadlineExceeded or MuxStatus.Internal or MuxStatus.Unavailable);

    /// <summary>The sentence that the caller reads: which call, where, and how it failed.</summary>
    public string Describe(MethodDescriptor method, string endpoint)
    {
        if (IsChosenByHandler) return Text;
        var execution = Execution switch
        {
            MuxExecution.NotExecuted => "not executed",
            MuxExecution.MayHaveExecuted => "may have executed",
            _ => "executed",
        };
        return $"{method.FullName} at {endpoint} failed ({Status}, {execution}): {Text}";
    }
}
