using System.Buffers.Binary;

namespace Mux.Protocol;

/// <summary>GOAWAY (0x03): this side accepts no more calls, or ends the connection, with the reason (PROTOCOL.md section 7.1).</summary>
/// <remarks>
/// <code>
/// code u16 | retry-after ms u32 | text, up to 1,024 bytes of UTF-8
/// </code>
/// With flag <see cref="FrameFlags.Answer"/> it acknowledges a drain and is empty.
/// </remarks>
internal readonly record struct GoAwayFrame(ConnectionCode Code, uint RetryAfterMilliseconds, string Text) : IFrame
{
    private const int HeadLength = 6;

    /// <summary>Maximum length of the payload.</summary>
    public const int MaxLength = HeadLength + ProtocolConstants.MaxGoAwayText;

    public static FrameKind Kind => FrameKind.GoAway;

    public static bool TryRead(ReadOnlySpan<byte> payload, out GoAwayFrame frame, out ProtocolViolation? violation)
    {
        frame = default;
        violation = null;
        if (payload.Length is < HeadLength or > MaxLength)
        {
            violation = new(ConnectionCode.ProtocolError, $"GOAWAY carries {payload.Length} bytes; allowed are {HeadLength} to {MaxLength}.");
            return false;
        }

        frame = new(
            (ConnectionCode)BinaryPrimitives.ReadUInt16LittleEndian(payload),
            BinaryPrimitives.ReadUInt32LittleEndian(payload[2..]),
            Utf8Text.Read(payload[HeadLength..], ProtocolConstants.MaxGoAwayText));
        return true;
    }

    /// <summary>Writes the payload.</summary>
    /// <returns>Length of the payload.</returns>
    public int Write(Span<byte> payload)
    {
        BinaryPrimitives.WriteUInt16LittleEndian(payload, (ushort)Code);
        BinaryPrimitives.WriteUInt32LittleEndian(payload[2..], RetryAfterMilliseconds);
        return HeadLength + Utf8Text.WriteCut(payload.Slice(HeadLength, ProtocolConstants.MaxGoAwayText), Text);
    }
}

/// <summary>A frame as a value that writes its own payload. The frames of the hot path have methods of their own in FrameWriter.</summary>
internal interface IFrame
{
    static abstract FrameKind Kind { get; }

    static virtual FrameFlags Flags => FrameFlags.None;

    /// <summary>Writes the payload into a span that is large enough.</summary>
    /// <returns>Length of the payload.</returns>
    int Write(Span<byte> payload);
}
