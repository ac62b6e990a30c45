using System.Buffers.Binary;

namespace Mux.Wire;

/// <summary>FAIL (0x12): the call ended without a reply (PROTOCOL.md section 5).</summary>
/// <remarks>
/// <code>
/// status u8 | execution u8 | retry-after ms u32 | text length u16 | text, UTF-8 | typed error body
/// </code>
/// </remarks>
internal readonly record struct FailFrame(byte Status, MuxExecution Execution, uint RetryAfterMilliseconds, string Text)
{
    private const int HeadLength = 8;

    /// <summary>The longest payload this version writes.</summary>
    public const int MaxWrittenLength = HeadLength + ProtocolConstants.MaxFailText;

    public static bool TryRead(ReadOnlySpan<byte> payload, out FailFrame frame, out ProtocolViolation? violation)
    {
        frame = default;
        violation = null;
        if (payload.Length is < HeadLength or > ProtocolConstants.MaxFailLength)
        {
            violation = new(ConnectionCode.ProtocolError, $"FAIL carries {payload.Length} bytes; allowed are {HeadLength} to {ProtocolConstants.MaxFailLength}.");
            return false;
        }

        int textLength = BinaryPrimitives.ReadUInt16LittleEndian(payload[6..]);
        if (payload.Length < HeadLength + textLength)
        {
            violation = new(ConnectionCode.ProtocolError, $"FAIL announces {textLength} bytes of text and carries {payload.Length - HeadLength}.");
            return false;
        }

        if (payload[1] > (byte)MuxExecution.Executed)
        {
            violation = new(ConnectionCode.ProtocolError, $"FAIL has the execution {payload[1]}; allowed are 0 to 2.");
            return false;
        }

        frame = new(
            payload[0],
            (MuxExecution)payload[1],
            BinaryPrimitives.ReadUInt32LittleEndian(payload[2..]),
            Utf8Text.Read(payload.Slice(HeadLength, textLength), ProtocolConstants.MaxFailText));
        return true;
    }

    /// <summary>Writes the payload; <paramref name="payload"/> holds <see cref="MaxWrittenLength"/>.</summary>
    /// <returns>Its length.</returns>
    public int Write(Span<byte> payload)
    {
        payload[0] = Status;
        payload[1] = (byte)Execution;
        BinaryPrimitives.WriteUInt32LittleEndian(payload[2..], RetryAfterMilliseconds);
        int textLength = Utf8Text.WriteCut(payload.Slice(HeadLength, ProtocolConstants.MaxFailText), Text);
        BinaryPrimitives.WriteUInt16LittleEndian(payload[6..], (ushort)textLength);
        return HeadLength + textLength;
    }
}
