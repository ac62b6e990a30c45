using System.Buffers.Binary;

namespace Mux.Wire;

/// <summary>AUTH (0x07) with flag <see cref="FrameFlags.Answer"/>, from the accepting side: the credential is taken (PROTOCOL.md section 3.7).</summary>
/// <remarks>
/// <code>
/// lifetime ms u32, 0 for ever | nonce, 32 bytes, for the next credential
/// </code>
/// </remarks>
internal sealed record AuthAccepted(uint LifetimeMilliseconds, byte[] Nonce)
{
    public const int Length = sizeof(uint) + AuthChallenge.NonceLength;

    public static bool TryRead(ReadOnlySpan<byte> payload, out AuthAccepted? accepted, out ProtocolViolation? violation)
    {
        bool fits = payload.Length == Length;
        accepted = fits ? new(BinaryPrimitives.ReadUInt32LittleEndian(payload), payload[sizeof(uint)..].ToArray()) : null;
        violation = fits ? null : new(ConnectionCode.ProtocolError, $"An answer to AUTH carries {payload.Length} bytes; it must carry {Length}.");
        return fits;
    }

    public void Write(Span<byte> payload)
    {
        BinaryPrimitives.WriteUInt32LittleEndian(payload, LifetimeMilliseconds);
        Nonce.CopyTo(payload[sizeof(uint)..]);
    }
}
