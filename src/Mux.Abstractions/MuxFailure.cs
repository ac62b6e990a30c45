namespace Mux;

/// <summary>
/// Why a call failed, as a value: what a <see cref="MuxResult{T}"/> holds instead of a reply, and what a <see cref="MuxException"/> is made of. Immutable.
/// </summary>
public sealed class MuxFailure
{
    /// <summary>For handlers: ends the call with this status and text.</summary>
    /// <param name="status">Any status but <see cref="MuxStatus.Ok"/>.</param>
    /// <param name="message">The text the caller sees, up to 4,096 bytes of UTF-8; longer text is cut.</param>
    /// <param name="detail">A message of a type that the contract declares with <see cref="MuxErrorAttribute{TDetail}"/>, or null.</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="status"/> is Ok.</exception>
    public MuxFailure(MuxStatus status, string message, object? detail = null)
    {
        ArgumentOutOfRangeException.ThrowIfEqual(status, MuxStatus.Ok);
        ArgumentNullException.ThrowIfNull(message);
        Status = status;
        Message = message;
        Detail = detail;
    }

    /// <summary>How the call ended.</summary>
    public MuxStatus Status { get; }

    /// <summary>What happened, for people.</summary>
    public string Message { get; }

    /// <summary>What the contract declares to come with this failure, or null.</summary>
    public object? Detail { get; }

    /// <summary>Whether the handler ran. What a handler writes here is ignored: its call was executed.</summary>
    public MuxExecution Execution { get; init; } = MuxExecution.Executed;

    /// <summary>How far the call had come.</summary>
    public MuxCallPhase Phase { get; init; } = MuxCallPhase.Handler;

    /// <summary>The address of the peer as it was configured, or null where the failure is a handler's own.</summary>
    public string? Endpoint { get; init; }

    /// <summary>The wire name of the method that was called, or null where the failure is a handler's own.</summary>
    public string? Method { get; init; }

    /// <summary>After how long it makes sense to call again, if the server said so.</summary>
    public TimeSpan? RetryAfter { get; init; }

    /// <summary>The error behind it, or null. It is never sent.</summary>
    public Exception? Exception { get; init; }

    /// <summary>Status and text.</summary>
    public override string ToString() => $"{Status}: {Message}";
}
