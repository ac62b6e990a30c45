namespace Mux.Wire;

/// <summary>Kinds of frames (PROTOCOL.md section 3). Five bits; kinds below 0x08 and from 0x18 concern the connection, the others one call.</summary>
internal enum FrameKind : byte
{
    Hello = 0x01,
    Ping = 0x02,
    GoAway = 0x03,
    Credit = 0x04,
    Define = 0x05,
    Lease = 0x06,
    Auth = 0x07,
    Request = 0x08,
    RequestItem = 0x09,
    RequestEnd = 0x0A,
    Cancel = 0x0B,
    RequestCredit = 0x0C,
    Response = 0x10,
    ResponseItem = 0x11,
    Fail = 0x12,
    ResponseCredit = 0x13,

    /// <summary>First of the kinds that a receiver counts and skips if it does not know them; the last is 0x1F.</summary>
    FirstExtension = 0x18,
}
