using System.Security.Cryptography;
using System.Text;

namespace Mux.Identity;

/// <summary>What shows that either side has a shared key, without showing the key (PROTOCOL.md section 3.7).</summary>
/// <remarks>
/// The token of the dialing side, and behind it what the two proofs cover: that of the token with role 1, that of the acceptance with role 2.
/// <code>
/// id length u8 | id | binding u8 | nonce of the client, 16 bytes | HMAC-SHA256(key, what is below), 32 bytes
/// label | role u8 | id length u8 | id | binding u8 | nonce of the client | challenge, 32 bytes | channel binding, 32 bytes if the binding is 1
/// </code>
/// </remarks>
internal static class SharedKeyProof
{
    public const string Scheme = "shared-key";

    /// <summary>Of the client's nonce.</summary>
    public const int NonceLength = 16;

    private const int MacLength = HMACSHA256.HashSizeInBytes;

    private const byte Unbound = 0;
    private const byte BoundToCertificate = 1; // SHA-256 of the server's

    // a key that is used for something else as well, or by another version, gives nothing away here
    private static ReadOnlySpan<byte> Label => "mux/1 shared-key 3\0"u8;

    // Each side has a role of its own, so that the proof of one side cannot be turned around and shown to it as that of the other.
    private const byte DialingSide = 1;
    private const byte AcceptingSide = 2;

    /// <param name="key">Whose id and secret.</param>
    /// <param name="challenge">What it answers.</param>
    /// <param name="channelBinding">Of the connection; empty for a proof that holds for any.</param>
    public static byte[] Make(SharedKey key, ReadOnlySpan<byte> challenge, ReadOnlySpan<byte> channelBinding)
    {
        Span<byte> nonce = stackalloc byte[NonceLength];
        RandomNumberGenerator.Fill(nonce);
        return Make(key, nonce, challenge, channelBinding);
    }

    /// <param name="key">Whose id and secret.</param>
    /// <param name="nonce">Of the client: random, and used once.</param>
    /// <param name="challenge">What it answers.</param>
    /// <param name="channelBinding">Of the connection; empty for a proof that holds for any.</param>
    public static byte[] Make(SharedKey key, ReadOnlySpan<byte> nonce, ReadOnlySpan<byte> challenge, ReadOnlySpan<byte> channelBinding)
    {
        var token = new byte[1 + key.Id.Length + 1 + NonceLength + MacLength];
        token[0] = (byte)Encoding.ASCII.GetBytes(key.Id, token.AsSpan(1));
        int macAt = token.Length - MacLength;
        token[macAt - NonceLength - 1] = channelBinding.IsEmpty ? Unbound : BoundToCertificate;
        nonce.CopyTo(token.AsSpan(macAt - NonceLength, NonceLength));
        Compute(key.Key, DialingSide, token.AsSpan(0, macAt), challenge, channelBinding, token.AsSpan(macAt));
        return token;
    }

    /// <summary>What the accepting side shows in return for a token, and the dialing side expects.</summary>
    /// <param name="key">The secret.</param>
    /// <param name="token">With an <see cref="IdOf"/>.</param>
    /// <param name="challenge">What the token answers.</param>
    /// <param name="channelBinding">What the token is bound to; empty for nothing.</param>
    public static byte[] MakeAnswer(SharedKey key, ReadOnlySpan<byte> token, ReadOnlySpan<byte> challenge, ReadOnlySpan<byte> channelBinding)
    {
        var proof = new byte[MacLength];
        Compute(key.Key, AcceptingSide, token[..^MacLength], challenge, channelBinding, proof);
        return proof;
    }

    /// <summary>Which key a token claims to be of.</summary>
    /// <returns>Null if it is no such token.</returns>
    public static string? IdOf(ReadOnlySpan<byte> token)
    {
        if (token.IsEmpty || token.Length != 1 + token[0] + 1 + NonceLength + MacLength || BindingOf(token) > BoundToCertificate) return null;
        var id = Encoding.ASCII.GetString(token.Slice(1, token[0]));
        return SharedKey.IsId(id) ? id : null;
    }

    /// <summary>Whether the token claims to be for one channel binding.</summary>
    /// <param name="token">One with an <see cref="IdOf"/>.</param>
    public static bool IsBound(ReadOnlySpan<byte> token) => BindingOf(token) != Unbound;

    /// <summary>Whether the token was made with the key, for the challenge and the connection. Takes as long for every key of one length.</summary>
    /// <param name="key">The secret.</param>
    /// <param name="token">One with an <see cref="IdOf"/>.</param>
    /// <param name="challenge">What it has to answer.</param>
    /// <param name="channelBinding">Of the connection that it came by.</param>
    public static bool IsMadeWith(ReadOnlySpan<byte> key, ReadOnlySpan<byte> token, ReadOnlySpan<byte> challenge, ReadOnlySpan<byte> channelBinding)
    {
        Span<byte> mac = stackalloc byte[MacLength];
        Compute(key, DialingSide, token[..^MacLength], challenge, channelBinding, mac);
        return CryptographicOperations.FixedTimeEquals(mac, token[^MacLength..]) && IsBound(token) == !channelBinding.IsEmpty;
    }

    private static byte BindingOf(ReadOnlySpan<byte> token) => token[1 + token[0]];

    /// <param name="key">The secret.</param>
    /// <param name="role">Whose proof it is.</param>
    /// <param name="claim">Id, binding and nonce of the client, as they stand in the token.</param>
    /// <param name="challenge">Of the server.</param>
    /// <param name="channelBinding">Of the connection.</param>
    /// <param name="mac">The result.</param>
    private static void Compute(
        ReadOnlySpan<byte> key, byte role, ReadOnlySpan<byte> claim, ReadOnlySpan<byte> challenge, ReadOnlySpan<byte> channelBinding, Span<byte> mac)
    {
        using var hash = IncrementalHash.CreateHMAC(HashAlgorithmName.SHA256, key);
        hash.AppendData(Label);
        hash.AppendData([role]);
        hash.AppendData(claim);
        hash.AppendData(challenge);
        hash.AppendData(channelBinding);
        hash.GetHashAndReset(mac);
    }
}
