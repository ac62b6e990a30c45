namespace Mux.Calls;

/// <summary>An attempt of a call that failed, as far as that decides whether the call is sent again.</summary>
/// <param name="Status">Status of the failure.</param>
/// <param name="Execution">Whether the handler ran.</param>
/// <param name="Phase">How far the attempt had come.</param>
/// <param name="RetryAfterMilliseconds">The hint of the server; 0 for none, <see cref="RetryPause.NeverHint"/> for never.</param>
internal readonly record struct FailedAttempt(MuxStatus Status, MuxExecution Execution, MuxCallPhase Phase, uint RetryAfterMilliseconds)
{
    /// <summary>True if nothing of the call was sent, because there was no connection to send it on, or none any more.</summary>
    public bool IsUnsent => Execution == MuxExecution.NotExecuted && Status == MuxStatus.Unavailable && Phase is MuxCallPhase.Connect or MuxCallPhase.Queue;

    /// <summary>True if the server has refused the call before its handler ran, and another moment or another server may accept it.</summary>
    public bool IsRefused => Execution == MuxExecution.NotExecuted && Phase == MuxCallPhase.Dispatch
        && Status is MuxStatus.Unavailable or MuxStatus.ResourceExhausted;
}
