namespace Mux.Protocol;

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
    ItemWindow = 0x14,
    ItemCredit = 0x15,

    /// <summary>First of the kinds that a receiver counts and skips if it does not know them; the last is 0x1F.</summary>
    FirstExtension = 0x18,
}

/// <summary>The level and the flags of each kind; <c>FrameRules</c> holds headers against them.</summary>
#pragma warning disable MA0048 // next to the numbers, so that a kind is added in one place
internal static class FrameKinds
#pragma warning restore MA0048
{
    public const byte ConnectionLevel = 0x10;
    public const byte CallLevel = 0x20;
    public const byte Extension = 0x40;
    private const byte More = (byte)FrameFlags.More;
    private const byte Meta = (byte)FrameFlags.Meta;
    private const byte Answer = (byte)FrameFlags.Answer;

    /// <summary>One byte per kind: its level, and in the low bits the flags it may carry. 0 = rejected.</summary>
    public static ReadOnlySpan<byte> Rules =>
    [
        0, // 0x00
        ConnectionLevel, // HELLO
        ConnectionLevel | Answer, // PING
        ConnectionLevel | Answer, // GOAWAY
        ConnectionLevel, // CREDIT
        ConnectionLevel | Answer, // DEFINE
        ConnectionLevel, // LEASE
        ConnectionLevel | Answer, // AUTH
        CallLevel | More | Meta, // REQUEST
        CallLevel | More, // REQUEST_ITEM
        CallLevel, // REQUEST_END
        CallLevel, // CANCEL
        CallLevel, // REQUEST_CREDIT
        0, 0, 0, // 0x0D .. 0x0F
        CallLevel | More | Meta, // RESPONSE
        CallLevel | More | Meta, // RESPONSE_ITEM
        CallLevel | Meta, // FAIL
        CallLevel, // RESPONSE_CREDIT
        CallLevel, // ITEM_WINDOW
        CallLevel, // ITEM_CREDIT
        0, 0, // 0x16, 0x17
        Extension, Extension, Extension, Extension, Extension, Extension, Extension, Extension, // 0x18 .. 0x1F
    ];
}
