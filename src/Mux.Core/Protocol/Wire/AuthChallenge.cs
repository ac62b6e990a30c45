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
