using Mux.Sessions.Budgets;
using Mux.Sessions.Setup;
using Mux.Transports;
using Mux.Wire;

namespace Mux.Sessions.Lifecycle;

/// <summary>How a connection ended: the reason, a sentence for logs and callers, and the error behind it.</summary>
internal sealed record ConnectionEnd(CloseReason Reason, string Text, Exception? Error = null)
{
    /// <summary>All that a peer is told of why it may not stay.</summary>
    public const string AuthRefusal = "Authentication failed.";

    private const string ExpectedTls = " Else the port belongs to another program, or expects TLS (a muxs address).";

    /// <summary>The limit that the peer broke, if it was one.</summary>
    public PeerLimit? Limit { get; init; }

    /// <summary>Whether the peer sent more than it may: what it sends behind the end is not read to the last byte either.</summary>
    public bool IsOfFlood => Limit is not null || Reason is CloseReason.ExcessiveLoad or CloseReason.TooManyPings;

    /// <summary>What the peer ended the connection with, if it did.</summary>
    public ConnectionCode? PeerCode { get; init; }

    /// <summary>When the peer says that it may be called again, milliseconds; 0 if it does not.</summary>
    public uint RetryAfterMilliseconds { get; init; }

    /// <summary>The peer broke a rule, or used up a budget.</summary>
    public static ConnectionEnd Of(ProtocolViolation violation) => new(ReasonOf(violation.Code), violation.Text) { Limit = (violation as BudgetBreach)?.Limit };

    /// <summary>Why a connection ends that this side ends with a code, because the peer broke a rule.</summary>
    public static CloseReason ReasonOf(ConnectionCode code) => code switch
    {
        ConnectionCode.TooManyPings => CloseReason.TooManyPings,
        ConnectionCode.ExcessiveLoad => CloseReason.ExcessiveLoad,
        _ => CloseReason.ProtocolError,
    };

    public static ConnectionEnd ReadsTooSlowly(ConnectionOptions options, long unsent) =>
        new(CloseReason.SlowPeer, $"The peer took less than {options.Budgets.MinByteRate} bytes per second for {Seconds(options.StallTimeout)}, and " +
            $"{unsent} wait.")
        { Limit = PeerLimit.SlowReading };

    public static ConnectionEnd UnsentOfServer(long limit, long unsent) =>
        new(CloseReason.SlowPeer, $"The connections of the server hold more than {limit} bytes unsent, and of those that take none this one, with {unsent}, " +
            $"has done so for the longest time.")
        { Limit = PeerLimit.UnsentOfServer };

    /// <summary>The link ended first.</summary>
    public static ConnectionEnd OfLink(LinkCloseCause cause, Exception? error) => cause switch
    {
        LinkCloseCause.ConnectFailed => new(CloseReason.ConnectFailed, error?.Message ?? "The connection could not be established.", error),
        LinkCloseCause.EndOfStream => new(CloseReason.ConnectionLost, "The peer ended the connection without a word."),
        LinkCloseCause.Closed => new(CloseReason.Disposed, "The connection was closed."),
        _ => new(CloseReason.ConnectionLost, error is null ? "The connection was reset." : $"The connection was lost: {error.Message}", error),
    };

    /// <summary>
    /// The link ended before the server's HELLO: a server that has reached a limit closes without a byte, as it does not know what connected.
    /// </summary>
    /// <param name="mayExpectTls">This side did not speak TLS, and the server may.</param>
    public ConnectionEnd InHandshake(bool mayExpectTls) => this with
    {
        Text = $"{Text} It was accepted and had not answered the handshake. If the server is a Mux server, it has reached a limit, which its log names: " +
            $"MaxConnections, Limits.MaxPendingHandshakes or Limits.MaxPendingHandshakesPerAddress.{(mayExpectTls ? ExpectedTls : string.Empty)}",
    };

    /// <summary>What connected speaks another protocol.</summary>
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
        new(CloseReason.SlowPeer, $"The peer took no byte for {Seconds(options.StallTimeout)}, and {unsent} wait.") { Limit = PeerLimit.SlowReading };

    public static ConnectionEnd NoBulkCredit(ConnectionOptions options, long unsent) =>
        new(CloseReason.SlowPeer, $"The peer granted no credit for large replies for {Seconds(options.StallTimeout)}, and {unsent} bytes wait.")
        {
            Limit =
            PeerLimit.SlowReading
        };

    public static ConnectionEnd UnfinishedFrame(ConnectionOptions options) =>
        new(CloseReason.SlowPeer, $"The peer began a frame and did not finish it within {Seconds(options.StallTimeout)}, or sends what it begins at less " +
            $"than {options.Budgets.MinByteRate} bytes per second.")
        { Limit = PeerLimit.SlowSending };

    public static ConnectionEnd UnfinishedMessage(ConnectionOptions options) =>
        new(CloseReason.SlowPeer, $"The peer began a message, sent no fragment of it for {Seconds(options.Budgets.FragmentTimeout)}, and then did not " +
            $"answer a PING.")
        { Limit = PeerLimit.SlowSending };

    public static ConnectionEnd NotConnected(ConnectionOptions options) => new(CloseReason.ConnectFailed,
        $"No connection came about within {Seconds(options.HandshakeTimeout)}.");

    public static ConnectionEnd SilentHandshake(ConnectionOptions options) => new(CloseReason.HandshakeTimeout,
        $"The peer said nothing that is Mux within {Seconds(options.HandshakeTimeout)}.");

    public static ConnectionEnd UnfinishedHandshake(ConnectionOptions options) => new(CloseReason.HandshakeTimeout,
        $"The peer did not complete the handshake within {Seconds(options.HandshakeTimeout)}.");

    public static ConnectionEnd NotAuthenticated(ConnectionOptions options) => new(CloseReason.AuthFailed,
        $"The peer was not authenticated within {Seconds(options.HandshakeTimeout)}.");

    /// <summary>The peer said why.</summary>
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
