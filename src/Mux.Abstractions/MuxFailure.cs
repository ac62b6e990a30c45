namespace Mux;

/// <summary>
/// The failure of a call as a value. A <see cref="MuxResult{T}"/> holds it instead of a reply, and a <see cref="MuxException"/> can be created from it.
/// Immutable.
/// </summary>
public sealed class MuxFailure
{
    /// <summary>Creates a failure for a handler to return; the call ends with this status and message.</summary>
    /// <param name="status">Any status except <see cref="MuxStatus.Ok"/>.</param>
    /// <param name="message">The message for the caller, up to 4,096 bytes of UTF-8; longer messages are cut.</param>
    /// <param name="detail">A message of a type that the contract declares with <see cref="MuxErrorAttribute{TDetail}"/>, or null.</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="status"/> is Ok.</exception>
    public MuxFailure(MuxStatus status, string message, object? detail = null)
    {
        if (status == MuxStatus.Ok) throw new ArgumentOutOfRangeException(nameof(status), status, "A failure has any status but Ok.");
        Status = status;
        Message = message ?? throw new ArgumentNullException(nameof(message));
        Detail = detail;
    }

    /// <summary>Gets the status with which the call ended.</summary>
    public MuxStatus Status { get; }

    /// <summary>Gets the message, for people to read.</summary>
    public string Message { get; }

    /// <summary>
    /// Gets the message that the failure carries, of a type that the contract declares with <see cref="MuxErrorAttribute{TDetail}"/>. Null if there is none.
    /// </summary>
    public object? Detail { get; }

    /// <summary>Gets whether the handler ran, as far as this side knows. Ignored in a failure that a handler returns, because its call was executed.</summary>
    public MuxExecution Execution { get; init; } = MuxExecution.Executed;

    /// <summary>Gets the phase in which the call failed.</summary>
    public MuxCallPhase Phase { get; init; } = MuxCallPhase.Handler;

    /// <summary>Gets the configured address of the peer, or null if a handler created the failure.</summary>
    public string? Endpoint { get; init; }

    /// <summary>Gets the wire name of the called method, or null if a handler created the failure.</summary>
    public string? Method { get; init; }

    /// <summary>
    /// Gets the time after which the server suggests sending the call again; null, the default, if it suggests none,
    /// and <see cref="Timeout.InfiniteTimeSpan"/> if the call must not be sent again, not even by a channel with
    /// retries. Sent in whole milliseconds, rounded up, from 1 ms to 49.7 days: a longer time is sent as the longest,
    /// zero and other negative times as none.
    /// </summary>
    public TimeSpan? RetryAfter { get; init; }

    /// <summary>
    /// Gets the attempts of a call that was sent more than once, in order; the last one is this failure. Empty if there was one attempt. While
    /// <see cref="Execution"/> tells the strongest of all attempts, <see cref="Status"/>, <see cref="Phase"/> and <see cref="Endpoint"/> are those of the last.
    /// </summary>
    public IReadOnlyList<MuxAttempt> Attempts { get; init; } = [];

    /// <summary>Gets the cause, or null. It is never sent.</summary>
    public Exception? Exception { get; init; }

    /// <summary>Returns the status and the message.</summary>
    public override string ToString() => $"{Status}: {Message}";
}
