using System.Buffers.Binary;

namespace Mux.Protocol;

/// <summary>
/// CREDIT (0x04), REQUEST_CREDIT (0x0C) and RESPONSE_CREDIT (0x13): grant more bytes to the sender (PROTOCOL.md section 6.2). ITEM_WINDOW (0x14) and
/// ITEM_CREDIT (0x15) look the same, and count items.
/// </summary>
internal static class CreditFrame
{
    public const int Length = 4;

    /// <summary>Minimum cost of an item, so that credit also limits a flood of tiny items.</summary>
    public const int MinItemCost = 64;

    public static bool TryRead(ReadOnlySpan<byte> payload, FrameKind kind, out int amount, out ProtocolViolation? violation)
    {
        amount = 0;
        violation = null;
        if (payload.Length != Length)
        {
            violation = new(ConnectionCode.ProtocolError, $"{kind} carries {payload.Length} bytes; it must carry {Length}.");
            return false;
        }

        uint number = BinaryPrimitives.ReadUInt32LittleEndian(payload);
        if (number is 0 or > int.MaxValue)
        {
            violation = new(ConnectionCode.FlowControlError, $"{kind} grants {number} {UnitOf(kind)}; allowed are 1 to {int.MaxValue}.");
            return false;
        }

        amount = (int)number;
        return true;
    }

    public static void Write(Span<byte> payload, int amount) => BinaryPrimitives.WriteUInt32LittleEndian(payload, (uint)amount);

    /// <summary>Stream credit that one frame of an item costs.</summary>
    public static int CostOfItem(int payloadLength) => Math.Max(MinItemCost, FrameHeader.Size + payloadLength);

    private static string UnitOf(FrameKind kind) => kind is FrameKind.ItemWindow or FrameKind.ItemCredit ? "items" : "bytes";
}
