namespace Mux.Tool.Pinging;

/// <summary>How a connection was opened.</summary>
/// <param name="Connect">Time of the transport: the look-up of a name, TCP and TLS.</param>
/// <param name="Handshake">Time from then until calls may be made: HELLO, and authentication.</param>
/// <param name="Hello">What the server says of itself.</param>
internal sealed record PingConnection(TimeSpan Connect, TimeSpan Handshake, ServerHello? Hello);
