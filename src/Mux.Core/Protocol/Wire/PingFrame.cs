namespace Mux.Protocol;

/// <summary>PING (0x02): eight bytes that the peer returns unchanged with flag <see cref="FrameFlags.Answer"/> (PROTOCOL.md section 3.2).</summary>
internal static class PingFrame
{
    public const int Length = 8;

    public static bool TryRead(ReadOnlySpan<byte> payload, out ulong opaque, out ProtocolViolation? violation)
    {
        opaque = 0;
        violation = null;
        if (payload.Length != Length)
        {
            violation = new(ConnectionCode.ProtocolError, $"PING carries {payload.Length} bytes; it must carry {Length}.");
            return false;
        }

        opaque = System.Buffers.Binary.BinaryPrimitives.ReadUInt64LittleEndian(payload);
        return true;
    }

    public static void Write(Span<byte> payload, ulong opaque) => System.Buffers.Binary.BinaryPrimitives.WriteUInt64LittleEndian(payload, opaque);
}
