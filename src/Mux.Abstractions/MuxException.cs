namespace Mux;

/// <summary>
/// The one exception a failed call ends with. A handler throws it to choose the status and text its caller sees; any other exception
/// of a handler reaches the caller as <see cref="MuxStatus.Unknown"/> with a general text.
/// </summary>
/// <remarks>
/// <para>The failure of a call that a handler made itself, which has an <see cref="Endpoint"/>, is such an other exception: its status, text and address are
/// not for the handler's caller. A handler that wants to pass it on throws one of its own, with the failure as inner exception.</para>
/// <para>A call that its own caller cancelled ends with <see cref="OperationCanceledException"/> carrying the caller's token instead.</para>
/// </remarks>
public sealed class MuxException : Exception
{
    /// <summary>For handlers: ends the call with this status and text.</summary>
    /// <param name="status">Any status but <see cref="MuxStatus.Ok"/>.</param>
    /// <param name="message">The text the caller sees, up to 4,096 bytes of UTF-8; longer text is cut.</param>
    /// <param name="innerException">The cause; it is logged here and never sent.</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="status"/> is Ok.</exception>
    public MuxException(MuxStatus status, string message, Exception? innerException = null)
        : this(status, MuxExecution.Executed, MuxCallPhase.Handler, endpoint: null, message, innerException)
    {
    }

    /// <summary>For the runtime and for fakes in tests: a failure with everything that is known about it.</summary>
    /// <param name="status">Any status but <see cref="MuxStatus.Ok"/>.</param>
    /// <param name="execution">Whether the handler ran.</param>
    /// <param name="phase">How far the call had come.</param>
    /// <param name="endpoint">The address of the peer, or null where there is none.</param>
    /// <param name="message">What happened, for people.</param>
    /// <param name="innerException">The cause, or null.</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="status"/> is Ok.</exception>
    public MuxException(MuxStatus status, MuxExecution execution, MuxCallPhase phase, string? endpoint, string message, Exception? innerException = null)
        : base(message, innerException)
    {
        ArgumentOutOfRangeException.ThrowIfEqual(status, MuxStatus.Ok);
        Status = status;
        Execution = execution;
        Phase = phase;
        Endpoint = endpoint;
    }

    /// <summary>Throws a failure that came as a value.</summary>
    public MuxException(MuxFailure failure)
        : this(failure.Status, failure.Execution, failure.Phase, failure.Endpoint, failure.Message, failure.Exception)
    {
        Method = failure.Method;
        Detail = failure.Detail;
        RetryAfter = failure.RetryAfter;
    }

    /// <summary>How the call ended.</summary>
    public MuxStatus Status { get; }

    /// <summary>
    /// A message of a type that the contract declares with <see cref="MuxErrorAttribute{TDetail}"/>: at a handler what goes to the caller, at the caller what
    /// came. Null where there is none, and at a caller whose contract does not declare what came.
    /// </summary>
    public object? Detail { get; init; }

    /// <summary>After how long it makes sense to call again: a handler's word to its caller. Rounded to milliseconds; up to 49 days.</summary>
    public TimeSpan? RetryAfter { get; init; }

    /// <summary>
    /// The wire name of the method that was called, such as <c>shop.Orders/Get</c>, or null where the failure is a handler's own or of no call.
    /// </summary>
    public string? Method { get; init; }

    /// <summary>Whether the handler ran. What a handler writes here is ignored: its call was executed.</summary>
    public MuxExecution Execution { get; }

    /// <summary>How far the call had come.</summary>
    public MuxCallPhase Phase { get; }

    /// <summary>The address of the peer as it was configured, or null where the failure is a handler's own.</summary>
    public string? Endpoint { get; }

    /// <summary>
    /// The usual text of an exception. Also where <see cref="Exception.Message"/> is a handler's own text it names the method, the address, the status and
    /// whether the handler ran.
    /// </summary>
    public override string ToString()
    {
        var text = base.ToString();
        if (Method is not null && Message.StartsWith(Method, StringComparison.Ordinal)) return text; // the message begins with all that
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
