namespace Mux.Wire;

/// <summary>
/// What a peer did that ends the connection: the code that goes into GOAWAY, and a text that names the bytes and the rule for the log and the peer.
/// </summary>
internal record ProtocolViolation(ConnectionCode Code, string Text);
