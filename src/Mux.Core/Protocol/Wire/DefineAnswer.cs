using System.Buffers.Binary;

namespace Mux.Protocol;

/// <summary>Answer to a DEFINE whose fingerprint differs from the acceptor's; carries the acceptor's (PROTOCOL.md section 3.5).</summary>
/// <remarks>
/// <code>
/// ordinal u16 | fingerprint, 8 bytes
/// </code>
/// </remarks>
internal readonly record struct DefineAnswer(ushort Ordinal, MethodFingerprint Fingerprint) : IFrame
{
    public const int Length = sizeof(ushort) + MethodFingerprint.Length;

    public static FrameKind Kind => FrameKind.Define;

    public static FrameFlags Flags => FrameFlags.Answer;

    public static bool TryRead(ReadOnlySpan<byte> payload, out DefineAnswer answer, out ProtocolViolation? violation)
    {
        answer = default;
        violation = payload.Length == Length ? null
            : new(ConnectionCode.ProtocolError, $"Answer to DEFINE carries {payload.Length} bytes; it must carry {Length}.");
        if (violation is not null) return false;
        answer = new(BinaryPrimitives.ReadUInt16LittleEndian(payload), MethodFingerprint.Read(payload[sizeof(ushort)..]));
        return true;
    }

    public int Write(Span<byte> payload)
    {
        BinaryPrimitives.WriteUInt16LittleEndian(payload, Ordinal);
        Fingerprint.Write(payload[sizeof(ushort)..]);
        return Length;
    }
}
