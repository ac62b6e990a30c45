namespace Mux.Protocol;

/// <summary>A violation that ends the connection: the code for GOAWAY, and a text for the log and the peer that names the bytes and the rule.</summary>
internal record ProtocolViolation(ConnectionCode Code, string Text);
