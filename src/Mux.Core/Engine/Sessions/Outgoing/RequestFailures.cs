using Mux.Protocol;

namespace Mux.Engine;

/// <summary>Failures of calls that this side decides: what happened, the limit, and what to do.</summary>
internal static class RequestFailures
{
    public static CallFailure OpenExpired { get; } =
        new(MuxStatus.DeadlineExceeded, MuxExecution.MayHaveExecuted, MuxCallPhase.Wait, CallFailure.NoReplyInTime)
        {
            IsOwnDeadline = true,
        };

    public static CallFailure NoCallsTaken { get; } = NothingTaken("concurrent calls");

    /// <summary>A call of one connection has found no room: see <see cref="IBoundCalls.OnNoRoom"/>. It is told to no caller, and not counted.</summary>
    public static CallFailure NoRoomYet { get; } =
        new(MuxStatus.ResourceExhausted, MuxExecution.NotExecuted, MuxCallPhase.Queue, "The connection has no room for the call yet.");

    private static CallFailure NoMethodsTaken { get; } = NothingTaken("methods");

    /// <param name="pace">What the peer asks calls to wait for.</param>
    /// <param name="phase">The phase of the call.</param>
    /// <param name="before">How the connection before that one ended in which the call waits; null if that is not known.</param>
    public static CallFailure WaitingExpired(PeerPace pace, MuxCallPhase phase, ConnectionEnd? before)
    {
        const string Text = "The deadline passed before the request could be sent.";
        var expired = new CallFailure(MuxStatus.DeadlineExceeded, MuxExecution.NotExecuted, phase, Text) { IsOwnDeadline = true };
        if (phase != MuxCallPhase.Connect) return pace.ExplainLocked(expired);
        return before is null ? expired : AfterAttempt(expired, before.Text, before.WasOpen);
    }

    /// <summary>Adds why no connection was there.</summary>
    /// <param name="failure">The failure of the call.</param>
    /// <param name="end">How the last attempt, or the last connection, ended.</param>
    /// <param name="wasOpen">True if it was a connection.</param>
    public static CallFailure AfterAttempt(CallFailure failure, string end, bool wasOpen) =>
        failure with { Text = $"{failure.Text} The last {(wasOpen ? "connection" : "attempt to connect")}: {end}" };

    /// <summary>Too many calls wait before it.</summary>
    public static CallFailure QueueFull(PeerPace pace, CallQueue waiting) => pace.ExplainLocked(new CallFailure(
        MuxStatus.ResourceExhausted, MuxExecution.NotExecuted, MuxCallPhase.Queue,
        $"{waiting.Count} calls wait to be sent with {waiting.Bytes} bytes; MaxQueuedBytes allows {waiting.ByteLimit}. " +
        "Make fewer calls concurrently, or raise MaxQueuedBytes of the channel."));

    public static CallFailure TooMuchMetadata(int length, int maxPayload) => NotSendable(
        $"The metadata of the request is {length} bytes; the peer accepts frames of at most {maxPayload} bytes. Send less metadata, or raise MaxFramePayload " +
        "of the peer.");

    public static CallFailure TooMuchMetadata(Session session, MuxMetadata metadata) =>
        NotSendable(session.Peer.DescribeExcess(metadata, "request", session.IsAccepting));

    /// <summary>The connection ended before the request was sent.</summary>
    public static CallFailure Unsent(ConnectionEnd end, MuxCallPhase phase)
    {
        var status = end.Reason == CloseReason.AuthFailed ? MuxStatus.Unauthenticated : MuxStatus.Unavailable;
        return new(status, MuxExecution.NotExecuted, phase, end.Text, end.Error) { RetryAfterMilliseconds = end.RetryAfterMilliseconds };
    }

    public static CallFailure NotSendable(string text) => new(MuxStatus.ResourceExhausted, MuxExecution.NotExecuted, MuxCallPhase.Encode, text);

    public static CallFailure TooLarge(Session session, int length) => NotSendable(
        $"The request is {length} bytes; {session.Peer.DescribeMaxMessage(session.IsAccepting)}. " +
        $"Send a stream, or {PeerSettings.NameOptionsFor(length)}.");

    public static CallFailure TooManyStreams(StreamBudget budget) => new(MuxStatus.ResourceExhausted, MuxExecution.NotExecuted, MuxCallPhase.Queue,
        $"The open streams of the connection to the server reserve {budget.Used} bytes; MaxStreamBytes allows {budget.Limit}. " +
        "Open fewer streams concurrently, or raise MaxStreamBytes or MinConnections of the channel.");

    public static CallFailure TooManyMethods(int limit) => limit == 0 ? NoMethodsTaken : NotSendable(
        $"The peer accepts {limit} different methods on one connection, and all are in use. Raise MaxMethodsPerConnection of the server.");

    private static CallFailure NothingTaken(string limit) => new(MuxStatus.Unavailable, MuxExecution.NotExecuted, MuxCallPhase.Queue,
        $"The peer accepts no calls: its limit of {limit} is 0. If it is a client, add a service to its options (AddService): it then accepts calls. If it " +
        "is a server, raise the limit there, or connect to another server.");
}
