using System.Buffers;
using System.Buffers.Binary;
using System.Text;

namespace Mux.Protocol;

/// <summary>AUTH (0x07) from the accepting side: asks the peer to authenticate (PROTOCOL.md section 3.7).</summary>
/// <remarks>
/// <code>
/// nonce, 32 bytes | schemes: length u8, name ...
/// </code>
/// </remarks>
internal sealed record AuthChallenge(byte[] Nonce, IReadOnlyList<string> Schemes) : IFrame
{
    public const int NonceLength = 32;

    public const int MaxSchemes = 16;

    /// <summary>Maximum length of the payload.</summary>
    public const int MaxLength = NonceLength + MaxSchemes * (1 + AuthCredential.MaxScheme);

    public static FrameKind Kind => FrameKind.Auth;

    public static bool TryRead(ReadOnlySpan<byte> payload, out AuthChallenge? challenge, out ProtocolViolation? violation)
    {
        challenge = null;
        violation = null;
        if (payload.Length is < NonceLength or > MaxLength)
        {
            violation = new(ConnectionCode.ProtocolError, $"A challenge carries {payload.Length} bytes; allowed are {NonceLength} to {MaxLength}.");
            return false;
        }

        var schemes = new List<string>();
        for (var rest = payload[NonceLength..]; !rest.IsEmpty; rest = rest[(1 + rest[0])..])
        {
            if (rest[0] is 0 or > AuthCredential.MaxScheme || rest[0] >= rest.Length || schemes.Count == MaxSchemes
                || !AuthCredential.IsScheme(rest.Slice(1, rest[0])))
            {
                violation = new(ConnectionCode.ProtocolError, $"Scheme number {schemes.Count + 1} of the challenge is not a valid name.");
                return false;
            }

            schemes.Add(Encoding.ASCII.GetString(rest.Slice(1, rest[0])));
        }

        challenge = new(payload[..NonceLength].ToArray(), schemes);
        return true;
    }

    /// <summary>Writes the payload; <paramref name="payload"/> must hold <see cref="MaxLength"/> bytes.</summary>
    /// <returns>Length of the payload.</returns>
    public int Write(Span<byte> payload)
    {
        Nonce.CopyTo(payload);
        int at = NonceLength;
        foreach (var scheme in Schemes)
        {
            payload[at] = (byte)Encoding.ASCII.GetBytes(scheme, payload[(at + 1)..]);
            at += 1 + payload[at];
        }

        return at;
    }
}

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

/// <summary>AUTH (0x07) from the dialing side: its credential (PROTOCOL.md section 3.7).</summary>
/// <remarks>
/// <code>
/// scheme length u8 | scheme | token
/// </code>
/// A scheme of length 0, without a token, means that this side has no credential.
/// </remarks>
internal static class AuthCredential
{
    public const int MaxScheme = 64;

    /// <summary>Maximum length of the payload.</summary>
    public const int MaxLength = 8 * 1024;

    private static readonly SearchValues<byte> s_schemeBytes = SearchValues.Create("abcdefghijklmnopqrstuvwxyz0123456789-."u8);

    /// <summary>True if the bytes are valid in the name of a scheme; does not check the length.</summary>
    public static bool IsScheme(ReadOnlySpan<byte> name) => !name.ContainsAnyExcept(s_schemeBytes);

    /// <summary>Finds the scheme and the token.</summary>
    /// <param name="payload">Payload of the frame.</param>
    /// <param name="scheme">Name of the scheme; empty if there is no credential.</param>
    /// <param name="tokenAt">Position of the token.</param>
    /// <returns>False if the payload is not a credential.</returns>
    public static bool TryRead(ReadOnlySpan<byte> payload, out string scheme, out int tokenAt)
    {
        scheme = string.Empty;
        tokenAt = 0;
        if (payload.IsEmpty || payload.Length > MaxLength || payload[0] > MaxScheme || payload[0] >= payload.Length) return false;
        if (payload[0] == 0 && payload.Length > 1) return false;
        var name = payload.Slice(1, payload[0]);
        if (!IsScheme(name)) return false;
        scheme = Encoding.ASCII.GetString(name);
        tokenAt = 1 + payload[0];
        return true;
    }

    /// <summary>Creates the payload for a token.</summary>
    public static byte[] Make(string scheme, ReadOnlySpan<byte> token)
    {
        var payload = new byte[1 + scheme.Length + token.Length];
        payload[0] = (byte)Encoding.ASCII.GetBytes(scheme, payload.AsSpan(1));
        token.CopyTo(payload.AsSpan(1 + scheme.Length));
        return payload;
    }
}
