using Mux.Wire;

namespace Mux.Framing;

/// <summary>
/// Rules for a header alone, independent of the connection's state: kind, flags and id (PROTOCOL.md sections 2.1, 2.2 and 3). Kinds and flags of later protocol
/// versions are reserved: this version neither writes nor accepts them. MORE and META depend on the state of the call and are checked elsewhere.
/// </summary>
internal static class FrameRules
{
    private const byte ConnectionLevel = 0x10;
    private const byte CallLevel = 0x20;
    private const byte Extension = 0x40;
    private const byte More = (byte)FrameFlags.More;
    private const byte Meta = (byte)FrameFlags.Meta;
    private const byte Answer = (byte)FrameFlags.Answer;

    /// <summary>One byte per kind: its level, and in the low bits the flags it may carry. 0 = rejected.</summary>
    private static ReadOnlySpan<byte> Rules =>
    [
        0, // 0x00
        ConnectionLevel, // HELLO
        ConnectionLevel | Answer, // PING
        ConnectionLevel | Answer, // GOAWAY
        ConnectionLevel, // CREDIT
        ConnectionLevel | Answer, // DEFINE
        0, // LEASE
        ConnectionLevel | Answer, // AUTH
        CallLevel | More | Meta, // REQUEST
        CallLevel | More, // REQUEST_ITEM
        CallLevel, // REQUEST_END
        CallLevel, // CANCEL
        CallLevel, // REQUEST_CREDIT
        0, 0, 0, // 0x0D .. 0x0F
        CallLevel | More | Meta, // RESPONSE
        CallLevel | More, // RESPONSE_ITEM
        CallLevel | Meta, // FAIL
        CallLevel, // RESPONSE_CREDIT
        0, 0, 0, 0, // 0x14 .. 0x17
        Extension, Extension, Extension, Extension, Extension, Extension, Extension, Extension, // 0x18 .. 0x1F
    ];

    /// <summary>Returns the first rule that the header violates, or null.</summary>
    public static ProtocolViolation? Check(FrameHeader header, int maxPayload)
    {
        byte rule = Rules[(int)header.Kind];
        bool fits = header.Length <= maxPayload && ((byte)header.Flags & ~rule) == 0;
        if (fits && rule >= CallLevel && rule != Extension && header.Id.Slot != 0) return null;
        return CheckSlowly(header, rule, maxPayload);
    }

    private static ProtocolViolation? CheckSlowly(FrameHeader header, byte rule, int maxPayload)
    {
        if (rule == 0) return new(ConnectionCode.ProtocolError, $"Frame kind 0x{(byte)header.Kind:X2} is not supported by this version.");
        if (header.Length > maxPayload)
        {
            return new(ConnectionCode.FrameTooLarge, $"{header.Kind} of {header.Length} bytes; at most {maxPayload} are accepted.");
        }

        if (rule == Extension) return null;

        var unexpected = header.Flags & (FrameFlags)~(rule & 7);
        if (unexpected != 0) return UnexpectedFlags(header, unexpected);
        if ((rule & ConnectionLevel) != 0 && header.Id.Value != 0)
        {
            return new(ConnectionCode.ProtocolError, $"{header.Kind} with id {header.Id}: frames that concern the connection have id 0.");
        }

        if ((rule & CallLevel) != 0 && header.Id.Slot == 0)
        {
            return new(ConnectionCode.ProtocolError, $"{header.Kind} with slot 0: frames that concern a call have a slot of at least 1.");
        }

        return null;
    }

    private static ProtocolViolation UnexpectedFlags(FrameHeader header, FrameFlags unexpected)
    {
        bool compressed = (unexpected & FrameFlags.Compressed) != 0
            && header.Kind is FrameKind.Request or FrameKind.RequestItem or FrameKind.Response or FrameKind.ResponseItem;
        return compressed
            ? new(ConnectionCode.CompressionError, $"{header.Kind} is compressed, but no compression was negotiated.")
            : new(ConnectionCode.ProtocolError, $"{header.Kind} with flags {(int)header.Flags}: this version does not accept all of them on it.");
    }
}
