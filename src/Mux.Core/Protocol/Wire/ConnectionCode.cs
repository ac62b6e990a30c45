namespace Mux.Protocol;

/// <summary>Reasons for the end of a connection, as sent in GOAWAY (PROTOCOL.md section 5.3).</summary>
internal enum ConnectionCode : ushort
{
    Ok = 0,
    ProtocolError = 1,
    FrameTooLarge = 2,
    FlowControlError = 3,
    VersionMismatch = 4,
    AuthFailed = 5,
    CompressionError = 6,
    ExcessiveLoad = 7,
    TooManyPings = 8,
    SlowPeer = 9,
    KeepAliveTimeout = 10,
    IdleTimeout = 11,
    MaxAge = 12,
    Draining = 13,
    Internal = 14,
    Refused = 15,
}
