using System.Buffers.Binary;

namespace Mux.Protocol;

/// <summary>AUTH (0x07) with flag <see cref="FrameFlags.Answer"/>, from the accepting side: the credential is accepted (PROTOCOL.md section 3.7).</summary>
/// <remarks>
/// <code>
/// lifetime ms u32, 0 for ever | nonce, 32 bytes, for the next credential | proof, 32 bytes, if the scheme has one
/// </code>
/// </remarks>
internal sealed record AuthAccepted(uint LifetimeMilliseconds, byte[] Nonce, ReadOnlyMemory<byte> Proof) : IFrame
{
    public const int ProofLength = 32;

    private const int LengthWithoutProof = sizeof(uint) + AuthChallenge.NonceLength;

    /// <summary>Length of the payload.</summary>
    public int Length => LengthWithoutProof + Proof.Length;

    public static FrameKind Kind => FrameKind.Auth;

    public static FrameFlags Flags => FrameFlags.Answer;

    public static bool TryRead(ReadOnlySpan<byte> payload, out AuthAccepted? accepted, out ProtocolViolation? violation)
    {
        bool fits = payload.Length is LengthWithoutProof or LengthWithoutProof + ProofLength;
        accepted = fits ? new(BinaryPrimitives.ReadUInt32LittleEndian(payload), payload[sizeof(uint)..LengthWithoutProof].ToArray(),
            payload[LengthWithoutProof..].ToArray()) : null;
        violation = fits ? null
            : new(ConnectionCode.ProtocolError, $"An answer to AUTH carries {payload.Length} bytes; it must carry {LengthWithoutProof}, or " +
            $"{LengthWithoutProof + ProofLength} with a proof.");
        return fits;
    }

    /// <summary>Writes the payload; <paramref name="payload"/> must hold <see cref="Length"/> bytes.</summary>
    public int Write(Span<byte> payload)
    {
        BinaryPrimitives.WriteUInt32LittleEndian(payload, LifetimeMilliseconds);
        Nonce.CopyTo(payload[sizeof(uint)..]);
        Proof.Span.CopyTo(payload[LengthWithoutProof..]);
        return Length;
    }
}
