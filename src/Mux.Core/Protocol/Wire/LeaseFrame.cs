using System.Buffers.Binary;

namespace Mux.Protocol;

/// <summary>
/// LEASE (0x06): how many calls its sender takes of the receiver, and how busy it is (PROTOCOL.md section 3.6). Sent only to a peer that announced
/// <see cref="SettingKey.Leases"/>. The next LEASE replaces it.
/// </summary>
/// <remarks>
/// <code>
/// max open calls u32 | lifetime ms u32 | hint u16: level in bits 0 to 5, utilisation in bits 6 to 15
/// </code>
/// </remarks>
/// <param name="MaxOpenCalls">
/// Calls that the receiver may have open toward the sender, in addition to setting 3; 0 means that the sender is about to stop.
/// </param>
/// <param name="LifetimeMilliseconds">Time from its arrival for which the frame holds; 0 ends the LEASE before it.</param>
/// <param name="Level">
/// Position in the order of calls up to which the sender takes them, 0 to <see cref="MostLevel"/>, which means all: a third of the range for each of the
/// priorities High, Normal and Low, in this order.
/// </param>
/// <param name="Utilisation">Share of its processors that the sender's process uses, in thousandths.</param>
internal readonly record struct LeaseFrame(uint MaxOpenCalls, uint LifetimeMilliseconds, int Level, int Utilisation) : IFrame
{
    public const int Length = 10;

    /// <summary>The level at which all calls are taken.</summary>
    public const int MostLevel = (1 << LevelBits) - 1;

    /// <summary>The utilisation of a sender whose processors never rest.</summary>
    public const int MostUtilisation = 1_000;

    private const int LevelBits = 6;

    public static FrameKind Kind => FrameKind.Lease;

    public static bool TryRead(ReadOnlySpan<byte> payload, out LeaseFrame frame, out ProtocolViolation? violation)
    {
        frame = default;
        violation = null;
        if (payload.Length != Length)
        {
            violation = new(ConnectionCode.ProtocolError, $"LEASE carries {payload.Length} bytes; it must carry {Length}.");
            return false;
        }

        int hint = BinaryPrimitives.ReadUInt16LittleEndian(payload[8..]);
        frame = new(
            BinaryPrimitives.ReadUInt32LittleEndian(payload), BinaryPrimitives.ReadUInt32LittleEndian(payload[4..]), hint & MostLevel, hint >> LevelBits);
        if (frame.Utilisation <= MostUtilisation) return true;
        violation = new(ConnectionCode.ProtocolError, $"LEASE has the utilisation {frame.Utilisation}; allowed are 0 to {MostUtilisation}.");
        return false;
    }

    /// <summary>Writes the payload; <paramref name="payload"/> must hold <see cref="Length"/> bytes.</summary>
    public int Write(Span<byte> payload)
    {
        BinaryPrimitives.WriteUInt32LittleEndian(payload, MaxOpenCalls);
        BinaryPrimitives.WriteUInt32LittleEndian(payload[4..], LifetimeMilliseconds);
        BinaryPrimitives.WriteUInt16LittleEndian(payload[8..], (ushort)(Level | Utilisation << LevelBits));
        return Length;
    }
}
