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

/// <summary>
/// Whether a connection has windows for one more stream: one here for its responses, and those that it takes at the peer, which says in HELLO how many it has.
/// A stream without them waits while the pool of the connection may get a further one, as a call does that finds no slot; otherwise it is refused in words.
/// </summary>
/// <remarks>Guarded by the connection's lock, except where stated.</remarks>
internal sealed class StreamRoom(Session session)
{
    private int _limit = int.MaxValue; // of the windows at the peer
    private int _most = 1; // that a stream takes there
    private int _taken;

    /// <summary>True if a stream in both directions would find no windows. Any thread; may be off by streams that just begin or end.</summary>
    public bool IsFull => Volatile.Read(ref _taken) + _most > _limit || LacksOwn;

    private bool LacksOwn => session.StreamBudget.Used + session.Options.Local.StreamCredit > session.StreamBudget.Limit;

    /// <summary>Applies the peer's limits.</summary>
    public void OpenLocked(PeerSettings peer)
    {
        session.AssertLocked();
        if (peer.StreamWindows > 0) _limit = peer.StreamWindows;
        if (peer.ReadsKeys) _most = 2; // a gateway has one for the responses, too
    }

    /// <summary>True if a call waits for windows: its connection has none for it, and another one may be dialed. Bound calls never wait.</summary>
    public bool IsAwaitedLocked(OutgoingCall call)
    {
        session.AssertLocked();
        if (call.Bound is not null || !call.Called.HasStreams || session.Options.Load is not { IsGrowing: true }) return false;
        if (call is not OutgoingStreamCall streams) return false;
        return _taken + CostOf(streams) > _limit || (streams is { HasResponseStream: true, ReservesWindow: true } && LacksOwn);
    }

    /// <summary>Opens the streams of a call whose request is being appended.</summary>
    public void OpenLocked(OutgoingStreamCall call, MuxCallPriority priority)
    {
        session.AssertLocked();
        call.OpenStreamsLocked(session, priority);
        call.WindowsAtPeer = CostOf(call);
        Volatile.Write(ref _taken, _taken + call.WindowsAtPeer);
    }

    /// <summary>Ends the streams of a call that is over. May be called again.</summary>
    public void EndLocked(OutgoingStreamCall call)
    {
        session.AssertLocked();
        call.EndStreams();
        Volatile.Write(ref _taken, _taken - call.WindowsAtPeer);
        call.WindowsAtPeer = 0;
    }

    private int CostOf(OutgoingStreamCall call) => Math.Min((call.HasRequestStream ? 1 : 0) + (call.HasResponseStream ? _most - 1 : 0), _most);
}
