namespace Mux.Protocol;

/// <summary>Finds frames in received bytes. Keeps no state between calls, so any split of a stream yields the same frames.</summary>
internal static class FrameReader
{
    /// <summary>
    /// Reads the front of <paramref name="bytes"/>. Checks the header as soon as its eight bytes have arrived, before any memory is held for the payload.
    /// </summary>
    /// <param name="bytes">Received bytes that were not consumed.</param>
    /// <param name="maxPayload">Maximum payload length that this side accepts.</param>
    /// <param name="header">The header, if eight bytes have arrived.</param>
    /// <param name="violation">The violated rule, or null.</param>
    public static FrameReadResult Read(ReadOnlySpan<byte> bytes, int maxPayload, out FrameHeader header, out ProtocolViolation? violation)
    {
        violation = null;
        if (bytes.Length < FrameHeader.Size)
        {
            header = default;
            return FrameReadResult.Incomplete;
        }

        header = FrameHeader.Read(bytes);
        violation = FrameRules.Check(header, maxPayload);
        if (violation is not null) return FrameReadResult.Violation;
        return bytes.Length - FrameHeader.Size >= header.Length ? FrameReadResult.Frame : FrameReadResult.Incomplete;
    }
}

/// <summary>
/// Rules for a header alone, independent of the connection's state: kind, flags and id (PROTOCOL.md sections 2.1, 2.2 and 3). Kinds and flags of later protocol
/// versions are reserved: this version neither writes nor accepts them. MORE and META depend on the state of the call and are checked elsewhere.
/// </summary>
internal static class FrameRules
{
    /// <summary>Returns the first rule that the header violates, or null.</summary>
    public static ProtocolViolation? Check(FrameHeader header, int maxPayload)
    {
        byte rule = FrameKinds.Rules[(int)header.Kind];
        bool fits = header.Length <= maxPayload && ((byte)header.Flags & ~rule) == 0;
        if (fits && rule >= FrameKinds.CallLevel && rule != FrameKinds.Extension && header.Id.Slot != 0) return null;
        return CheckSlowly(header, rule, maxPayload);
    }

    private static ProtocolViolation? CheckSlowly(FrameHeader header, byte rule, int maxPayload)
    {
        if (rule == 0) return new(ConnectionCode.ProtocolError, $"Frame kind 0x{(byte)header.Kind:X2} is not supported by this version.");
        if (header.Length > maxPayload)
        {
            return new(ConnectionCode.FrameTooLarge, $"{header.Kind} of {header.Length} bytes; at most {maxPayload} are accepted.");
        }

        if (rule == FrameKinds.Extension) return null;

        var unexpected = header.Flags & (FrameFlags)~(rule & 7);
        if (unexpected != 0) return UnexpectedFlags(header, unexpected);
        if ((rule & FrameKinds.ConnectionLevel) != 0 && header.Id.Value != 0)
        {
            return new(ConnectionCode.ProtocolError, $"{header.Kind} with id {header.Id}: frames that concern the connection have id 0.");
        }

        if ((rule & FrameKinds.CallLevel) != 0 && header.Id.Slot == 0)
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
            : new(ConnectionCode.ProtocolError, $"{header.Kind} has the flags {(int)header.Flags}; this version does not accept all of them for this kind.");
    }
}

/// <summary>Results of <see cref="FrameReader"/> for the front of the received bytes.</summary>
internal enum FrameReadResult
{
    /// <summary>A complete frame with a valid header.</summary>
    Frame,

    /// <summary>The start of a frame, valid so far.</summary>
    Incomplete,

    /// <summary>An invalid header.</summary>
    Violation,
}
