namespace Mux;

/// <summary>
/// The exception with which a failed call ends. A handler throws it to choose the status and message that its caller sees. Any other exception in a handler
/// reaches the caller as <see cref="MuxStatus.Unknown"/> with a general message.
/// </summary>
/// <remarks>
/// <para>If a handler makes a call that fails, and does not catch the exception, its own caller gets <see cref="MuxStatus.Unknown"/> too. Mux recognizes such
/// an exception by its <see cref="Endpoint"/> and does not send its status, message and address. To pass a failure on, throw a new <see cref="MuxException"/>
/// with the caught exception as inner exception.</para>
/// <para>A call that is cancelled by its own caller ends with <see cref="OperationCanceledException"/> and the caller's token instead.</para>
/// </remarks>
public sealed class MuxException : Exception
{
    /// <summary>Creates an exception for a handler to throw; the call ends with this status and message.</summary>
    /// <param name="status">Any status except <see cref="MuxStatus.Ok"/>.</param>
    /// <param name="message">The message for the caller, up to 4,096 bytes of UTF-8; longer messages are cut.</param>
    /// <param name="innerException">The cause. It is logged at the server and never sent.</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="status"/> is Ok.</exception>
    public MuxException(MuxStatus status, string message, Exception? innerException = null)
        : this(status, MuxExecution.Executed, MuxCallPhase.Handler, endpoint: null, message, innerException)
    {
    }

    /// <summary>Creates an exception like those that Mux throws for failed calls. Use it in tests that fake a failed call.</summary>
    /// <param name="status">Any status except <see cref="MuxStatus.Ok"/>.</param>
    /// <param name="execution">Tells whether the handler ran, as far as this side knows.</param>
    /// <param name="phase">The phase in which the call failed.</param>
    /// <param name="endpoint">The address of the peer, or null if there is none.</param>
    /// <param name="message">The message, for people to read.</param>
    /// <param name="innerException">The cause, or null.</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="status"/> is Ok.</exception>
    public MuxException(MuxStatus status, MuxExecution execution, MuxCallPhase phase, string? endpoint, string message, Exception? innerException = null)
        : base(message, innerException)
    {
        if (status == MuxStatus.Ok) throw new ArgumentOutOfRangeException(nameof(status), status, "A failure has any status but Ok.");
        Status = status;
        Execution = execution;
        Phase = phase;
        Endpoint = endpoint;
    }

    /// <summary>Creates an exception from a failure.</summary>
    public MuxException(MuxFailure failure)
        : this(failure.Status, failure.Execution, failure.Phase, failure.Endpoint, failure.Message, failure.Exception)
    {
        Method = failure.Method;
        Detail = failure.Detail;
        RetryAfter = failure.RetryAfter;
        Attempts = failure.Attempts;
    }

    /// <summary>Gets the status with which the call ended.</summary>
    public MuxStatus Status { get; }

    /// <summary>
    /// Gets the message that the failure carries, of a type that the contract declares with <see cref="MuxErrorAttribute{TDetail}"/>. A handler sets it, its
    /// caller reads it. Null if there is none, or if the caller's contract does not declare the received type.
    /// </summary>
    public object? Detail { get; init; }

    /// <inheritdoc cref="MuxFailure.RetryAfter"/>
    public TimeSpan? RetryAfter { get; init; }

    /// <inheritdoc cref="MuxFailure.Attempts"/>
    public IReadOnlyList<MuxAttempt> Attempts { get; } = [];

    /// <summary>
    /// Gets the wire name of the called method, such as <c>shop.Orders/Get</c>. Null if a handler created the exception, or if no single call failed, such as
    /// in <c>ConnectAsync</c>.
    /// </summary>
    public string? Method { get; init; }

    /// <summary>
    /// Gets whether the handler ran, as far as this side knows. Ignored in an exception that a handler throws, because its call was executed.
    /// </summary>
    public MuxExecution Execution { get; }

    /// <summary>Gets the phase in which the call failed.</summary>
    public MuxCallPhase Phase { get; }

    /// <summary>Gets the configured address of the peer, or null if a handler created the exception.</summary>
    public string? Endpoint { get; }

    /// <summary>
    /// Returns the text of <see cref="Exception.ToString"/>. Adds the method, the address, the status and the execution if <see cref="Exception.Message"/> does
    /// not contain them.
    /// </summary>
    public override string ToString()
    {
        var text = base.ToString();
        if (Method is not null && Message.StartsWith(Method, StringComparison.Ordinal)) return text; // the runtime's messages name all of it
        var where = Endpoint is null ? string.Empty : $" at {Endpoint}";
        var execution = Execution switch
        {
            MuxExecution.NotExecuted => "not executed",
            MuxExecution.MayHaveExecuted => "may have executed",
            _ => "executed",
        };
        var summary = Method is null ? $" ({Status}, {execution}){where}" : $": {Method}{where} failed ({Status}, {execution})";
        return text.Insert(typeof(MuxException).FullName!.Length, summary);
    }
}
