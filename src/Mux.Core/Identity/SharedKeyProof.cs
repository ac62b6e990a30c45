using System.Security.Cryptography;
using System.Text;

namespace Mux.Identity;

/// <summary>What shows that a side has a shared key, without showing the key (PROTOCOL.md section 3.7).</summary>
/// <remarks>
/// <code>
/// id length u8 | id | nonce of the client, 16 bytes | HMAC-SHA256(key, label | id length u8 | id | challenge | nonce of the client), 32 bytes
/// </code>
/// </remarks>
internal static class SharedKeyProof
{
    public const string Scheme = "shared-key";

    private const int NonceLength = 16;
    private const int MacLength = HMACSHA256.HashSizeInBytes;

    private static ReadOnlySpan<byte> Label => "mux/1 shared key\0"u8; // a key that is used for something else as well gives nothing away here

    public static byte[] Make(SharedKey key, ReadOnlySpan<byte> challenge)
    {
        var token = new byte[1 + key.Id.Length + NonceLength + MacLength];
        token[0] = (byte)Encoding.ASCII.GetBytes(key.Id, token.AsSpan(1));
        int macAt = token.Length - MacLength;
        RandomNumberGenerator.Fill(token.AsSpan(macAt - NonceLength, NonceLength));
        Compute(key.Key, token.AsSpan(0, macAt), challenge, token.AsSpan(macAt));
        return token;
    }

    /// <summary>Which key a token claims to be of.</summary>
    /// <returns>Null if it is no such token.</returns>
    public static string? IdOf(ReadOnlySpan<byte> token)
    {
        if (token.IsEmpty || token.Length != 1 + token[0] + NonceLength + MacLength) return null;
        var id = Encoding.ASCII.GetString(token.Slice(1, token[0]));
        return SharedKey.IsId(id) ? id : null;
    }

    /// <summary>Whether the token was made with the key, for the challenge. Takes as long for every key of one length.</summary>
    /// <param name="key">The secret.</param>
    /// <param name="token">One with an <see cref="IdOf"/>.</param>
    /// <param name="challenge">What it has to answer.</param>
    public static bool IsMadeWith(ReadOnlySpan<byte> key, ReadOnlySpan<byte> token, ReadOnlySpan<byte> challenge)
    {
        Span<byte> mac = stackalloc byte[MacLength];
        Compute(key, token[..^MacLength], challenge, mac);
        return CryptographicOperations.FixedTimeEquals(mac, token[^MacLength..]);
    }

    /// <param name="key">The secret.</param>
    /// <param name="claim">Id and nonce of the client, as they stand in the token.</param>
    /// <param name="challenge">Of the server.</param>
    /// <param name="mac">The result.</param>
    private static void Compute(ReadOnlySpan<byte> key, ReadOnlySpan<byte> claim, ReadOnlySpan<byte> challenge, Span<byte> mac)
    {
        using var hash = IncrementalHash.CreateHMAC(HashAlgorithmName.SHA256, key);
        hash.AppendData(Label);
        hash.AppendData(claim[..^NonceLength]);
        hash.AppendData(challenge);
        hash.AppendData(claim[^NonceLength..]);
        hash.GetHashAndReset(mac);
    }
}
