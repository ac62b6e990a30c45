using Mux.Protocol;
using Mux.Transports;

namespace Mux.Engine;

/// <summary>Describes how a connection ended: the reason, a message for logs and callers, and the underlying error.</summary>
internal sealed record ConnectionEnd(CloseReason Reason, string Text, Exception? Error = null)
{
    /// <summary>The only message that a rejected peer gets.</summary>
    public const string AuthRefusal = "Authentication failed.";

    /// <summary>The limit that the peer exceeded, if that is the reason.</summary>
    public PeerLimit? Limit { get; init; }

    /// <summary>True if the peer sent more than it may: the rest of its bytes is not read to the end either.</summary>
    public bool IsOfFlood => Limit is not null || Reason is CloseReason.ExcessiveLoad or CloseReason.TooManyPings;

    /// <summary>True if one side was done with the connection: no part of it has failed.</summary>
    public bool IsOrderly => Reason is CloseReason.Drained or CloseReason.PeerDrained or CloseReason.Idle or CloseReason.Disposed;

    /// <summary>True if this side ended the connection for reasons of its own: that says nothing about the peer.</summary>
    public bool IsOwnChoice => Reason is CloseReason.Drained or CloseReason.Idle or CloseReason.MaxAge or CloseReason.Disposed
        or CloseReason.CredentialExpired or CloseReason.Internal or CloseReason.Refused;

    /// <summary>True if it is known to have been open.</summary>
    public bool WasOpen { get; init; }

    /// <summary>The code with which the peer ended the connection, if it did.</summary>
    public ConnectionCode? PeerCode { get; init; }

    /// <summary>True if the peer has refused the connection after it was open: it was of no use, whatever was answered on it.</summary>
    public bool IsRefusal => PeerCode == ConnectionCode.Refused;

    /// <summary>Milliseconds after which the peer may be called again; 0 if it did not say.</summary>
    public uint RetryAfterMilliseconds { get; init; }

    /// <summary>The peer broke a rule, or used up a budget.</summary>
    public static ConnectionEnd Of(ProtocolViolation violation) => new(ReasonOf(violation.Code), violation.Text) { Limit = (violation as BudgetBreach)?.Limit };

    /// <summary>Gets the reason for a connection that this side ends with a code, because the peer broke a rule.</summary>
    public static CloseReason ReasonOf(ConnectionCode code) => code switch
    {
        ConnectionCode.TooManyPings => CloseReason.TooManyPings,
        ConnectionCode.ExcessiveLoad => CloseReason.ExcessiveLoad,
        _ => CloseReason.ProtocolError,
    };

    public static ConnectionEnd ReadsTooSlowly(ConnectionOptions options, long unsent) =>
        new(CloseReason.SlowPeer, $"The peer accepted less than {options.Budgets.MinByteRate} bytes per second for {Seconds(options.StallTimeout)}; " +
            $"{unsent} bytes are unsent.")
        { Limit = PeerLimit.SlowReading };

    public static ConnectionEnd UnsentOfServer(long limit, long unsent, long behind) =>
        new(CloseReason.SlowPeer, $"The connections of the server hold more than {limit} unsent bytes (Limits.MaxUnsentBytes). This one was closed " +
            $"because {unsent} of its bytes are unsent and its peer has been behind for {Seconds(behind)}.")
        { Limit = PeerLimit.UnsentOfServer };

    public static ConnectionEnd HeldOfServer(long limit, long held, long behind) =>
        new(CloseReason.SlowPeer, $"The server has little of the {limit} bytes left that it holds for its peers " +
            $"(Limits.MaxHeldBytes). This connection was closed because {held} of them are its own and its peer has " +
            $"been behind for {Seconds(behind)}.")
        { Limit = PeerLimit.UnsentOfServer };

    /// <summary>The link ended first.</summary>
    public static ConnectionEnd OfLink(LinkCloseCause cause, Exception? error) => cause switch
    {
        LinkCloseCause.ConnectFailed => new(CloseReason.ConnectFailed, error?.Message ?? "The connection could not be established.", error),
        LinkCloseCause.EndOfStream =>
            new(CloseReason.ConnectionLost, "The connection was lost: the peer closed it without giving a reason."),
        LinkCloseCause.Closed => new(CloseReason.Disposed, "The connection was closed."),
        _ => new(CloseReason.ConnectionLost, error is null ? "The connection was reset." : $"The connection was lost: {error.Message}", error),
    };

    /// <summary>
    /// Adds a hint for a link that ended before the server's HELLO: a server that has reached a limit closes without sending a byte, because it does not know
    /// what connected.
    /// </summary>
    /// <param name="mayExpectTls">True if this side did not speak TLS, and the server may expect it: then that is the most frequent cause.</param>
    public ConnectionEnd InHandshake(bool mayExpectTls) => this with
    {
        Text = $"{Text} The server accepted the connection but did not answer the handshake. " +
            (mayExpectTls
                ? "If this address has never worked, the port probably expects TLS (dial a muxs address) or belongs to another program. If it has, the server"
                : "If it is a Mux server, it") +
            " stops, or it has reached a limit that its log names: MaxConnections, Limits.MaxPendingHandshakes or Limits.MaxPendingHandshakesPerAddress.",
    };

    /// <summary>The peer speaks another protocol.</summary>
    public static ConnectionEnd NotMux(string place, ForeignProtocol foreign, bool accepting) =>
        new(CloseReason.NotMux, $"'{place}' does not speak Mux{(foreign, accepting) switch
        {
            (ForeignProtocol.Tls, true) =>
                ": a peer speaks TLS to this plaintext listener. Clients without TLS connect to a mux address; with TLS, the server needs a muxs address.",
            (ForeignProtocol.Tls, false) => ": the peer answers with TLS. Connect to a muxs address.",
            (ForeignProtocol.Http, true) => ": a peer speaks HTTP to this listener, which serves Mux only.",
            (ForeignProtocol.Http, false) =>
                ": the peer answers with HTTP. Connect to the port of a Mux server, or to a mux+ws address where ASP.NET Core serves WebSockets.",
            _ => ".",
        }}");

    public static ConnectionEnd KeepAliveTimeout(ConnectionOptions options) => new(CloseReason.KeepAliveTimeout,
        $"The peer was silent for {Seconds(options.KeepAliveTime)} and did not answer within {Seconds(options.KeepAliveTimeout)}.");

    public static ConnectionEnd Stalled(ConnectionOptions options, long unsent) =>
        new(CloseReason.SlowPeer, $"The peer accepted no bytes for {Seconds(options.StallTimeout)}; {unsent} bytes are unsent.")
        { Limit = PeerLimit.SlowReading };

    public static ConnectionEnd NoBulkCredit(ConnectionOptions options, long unsent) =>
        new(CloseReason.SlowPeer, $"The peer granted no credit for large replies for {Seconds(options.StallTimeout)}; {unsent} bytes are unsent.")
        { Limit = PeerLimit.SlowReading };

    public static ConnectionEnd UnfinishedFrame(ConnectionOptions options) =>
        new(CloseReason.SlowPeer, $"The peer began a frame and did not finish it within {Seconds(options.StallTimeout)}, or sent its frames at less than " +
            $"{options.Budgets.MinByteRate} bytes per second.")
        { Limit = PeerLimit.SlowSending };

    public static ConnectionEnd UnfinishedMessage(ConnectionOptions options) =>
        new(CloseReason.SlowPeer, $"The peer began a message, sent no fragment of it for {Seconds(options.Budgets.FragmentTimeout)}, and then did not " +
            "answer a PING.")
        { Limit = PeerLimit.SlowSending };

    public static ConnectionEnd NotConnected(ConnectionOptions options) => new(CloseReason.ConnectFailed,
        $"The connection was not established within {Seconds(options.HandshakeTimeout)}.");

    public static ConnectionEnd SilentHandshake(ConnectionOptions options) => new(CloseReason.HandshakeTimeout,
        $"The peer did not start the Mux handshake within {Seconds(options.HandshakeTimeout)}.");

    /// <param name="limit">The limit of places for handshakes that was reached.</param>
    /// <param name="text">Describes the limit.</param>
    public static ConnectionEnd Displaced(PeerLimit limit, string text) =>
        new(CloseReason.HandshakeTimeout, $"The handshake was not finished when a newer connection needed its place. {text}") { Limit = limit };

    public static ConnectionEnd UnfinishedHandshake(ConnectionOptions options) => new(CloseReason.HandshakeTimeout,
        $"The peer did not complete the handshake within {Seconds(options.HandshakeTimeout)}.");

    public static ConnectionEnd NotAuthenticated(ConnectionOptions options) => new(CloseReason.AuthFailed,
        $"The peer was not authenticated within {Seconds(options.HandshakeTimeout)}.");

    /// <summary>The peer ended the connection and said why.</summary>
    public static ConnectionEnd OfPeer(GoAwayFrame goAway, string did, string hint = "")
    {
        var reason = goAway.Code == ConnectionCode.AuthFailed ? CloseReason.AuthFailed : CloseReason.PeerError;
        return new(reason, $"The peer {did} the connection ({goAway.Code}): {goAway.Text}{hint}")
        {
            PeerCode = goAway.Code,
            RetryAfterMilliseconds = goAway.RetryAfterMilliseconds
        };
    }

    private static string Seconds(long microseconds) => $"{microseconds / 1_000_000.0:0.###} s";
}

/// <summary>Reasons why a connection ends. Each has exactly one, which is logged and tags the metrics.</summary>
internal enum CloseReason
{
    /// <summary>The link was never established.</summary>
    ConnectFailed,

    /// <summary>The peer did not complete the handshake in time.</summary>
    HandshakeTimeout,

    /// <summary>The peer does not speak this protocol.</summary>
    NotMux,

    /// <summary>The peer broke a rule of the protocol.</summary>
    ProtocolError,

    /// <summary>The peer ended the connection with an error code.</summary>
    PeerError,

    /// <summary>The connection broke, or the peer closed it without GOAWAY.</summary>
    ConnectionLost,

    /// <summary>The peer stayed silent beyond the keep-alive timeout.</summary>
    KeepAliveTimeout,

    /// <summary>The peer read nothing for too long, or did not finish a frame that it began.</summary>
    SlowPeer,

    /// <summary>
    /// The peer used up a budget for frames that are cheap to send, or sent more settings, definitions, fragments or unread refusals than are accepted.
    /// </summary>
    ExcessiveLoad,

    /// <summary>The peer sent PINGs too often.</summary>
    TooManyPings,

    /// <summary>No call was open for the idle time.</summary>
    Idle,

    /// <summary>It had reached the age at which this side drains its connections.</summary>
    MaxAge,

    /// <summary>This side drained.</summary>
    Drained,

    /// <summary>The peer drained.</summary>
    PeerDrained,

    /// <summary>This side closed the connection without draining.</summary>
    Disposed,

    /// <summary>The peer or this side failed to authenticate.</summary>
    AuthFailed,

    /// <summary>The credential of the peer expired.</summary>
    CredentialExpired,

    /// <summary>A bug in this side.</summary>
    Internal,

    /// <summary>Code of this side that learns of connections has failed for this one, which is of no use without it.</summary>
    Refused,
}
