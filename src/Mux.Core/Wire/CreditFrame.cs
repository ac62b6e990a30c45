using System.Buffers.Binary;

namespace Mux.Wire;

/// <summary>CREDIT (0x04), REQUEST_CREDIT (0x0C) and RESPONSE_CREDIT (0x13): grant more bytes to the sender (PROTOCOL.md section 6.2).</summary>
internal static class CreditFrame
{
    public const int Length = 4;

    /// <summary>Minimum cost of an item, so that credit also limits a flood of tiny items.</summary>
    public const int MinItemCost = 64;

    public static bool TryRead(ReadOnlySpan<byte> payload, FrameKind kind, out int bytes, out ProtocolViolation? violation)
    {
        bytes = 0;
        violation = null;
        if (payload.Length != Length)
        {
            violation = new(ConnectionCode.ProtocolError, $"{kind} carries {payload.Length} bytes; it must carry {Length}.");
            return false;
        }

        uint number = BinaryPrimitives.ReadUInt32LittleEndian(payload);
        if (number is 0 or > int.MaxValue)
        {
            violation = new(ConnectionCode.FlowControlError, $"{kind} grants {number} bytes; allowed are 1 to {int.MaxValue}.");
            return false;
        }

        bytes = (int)number;
        return true;
    }

    public static void Write(Span<byte> payload, int bytes) => BinaryPrimitives.WriteUInt32LittleEndian(payload, (uint)bytes);

    /// <summary>Stream credit that one frame of an item costs.</summary>
    public static int CostOfItem(int payloadLength) => Math.Max(MinItemCost, FrameHeader.Size + payloadLength);
}
