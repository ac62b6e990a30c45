using System.Security.Claims;
using System.Security.Cryptography;
using System.Text;
using Mux.Identity;
using Mux.Transports;

namespace Mux.Server;

/// <summary>Validates proofs of shared keys, and proves in return that this side has the key. A client may have two valid keys while it changes them.</summary>
/// <param name="keys">Keys with distinct ids.</param>
/// <param name="lifetime">Time after which a peer must prove its key again; null for never.</param>
/// <param name="timeProvider">Clock for the lifetime.</param>
internal sealed class SharedKeyAuthenticator(IEnumerable<SharedKey> keys, TimeSpan? lifetime, TimeProvider timeProvider) : MuxAuthenticator
{
    private readonly Dictionary<string, SharedKey> _keys = keys.ToDictionary(key => key.Id, StringComparer.Ordinal);
    private readonly byte[] _nobodysKey = RandomNumberGenerator.GetBytes(SharedKey.MinLength); // an unknown id takes as long to reject as a known one

    public override string Scheme => SharedKeyProof.Scheme;

    public override ValueTask<AuthenticationResult> AuthenticateAsync(AuthenticationAttempt attempt, CancellationToken cancellationToken) =>
        new(Authenticate(attempt));

    /// <summary>Authenticates synchronously: no user code runs.</summary>
    public AuthenticationResult Authenticate(AuthenticationAttempt attempt)
    {
        var token = attempt.Token.Span;
        if (SharedKeyProof.IdOf(token) is not { } id) return AuthenticationResult.Fail("The token is not a proof of a shared key.");
        var key = _keys.GetValueOrDefault(id);
        bool isProven = SharedKeyProof.IsMadeWith(key?.Key ?? _nobodysKey, token, attempt.Challenge.Span, attempt.ChannelBinding.Span);
        if (key is null) return AuthenticationResult.Fail($"There is no shared key '{id}'.");
        if (!isProven) return AuthenticationResult.Fail(ReasonOf(id, SharedKeyProof.IsBound(token), !attempt.ChannelBinding.IsEmpty));
        List<Claim> claims = [new(ClaimTypes.NameIdentifier, id), new(ClaimTypes.Name, id), .. key.Roles.Select(role => new Claim(ClaimTypes.Role, role))];
        var user = new ClaimsPrincipal(new ClaimsIdentity(claims, SharedKeyProof.Scheme));
        return AuthenticationResult.Success(
            new PeerIdentity(user, lifetime is { } time ? timeProvider.GetUtcNow() + time : null),
            SharedKeyProof.MakeAnswer(key, token, attempt.Challenge.Span, attempt.ChannelBinding.Span));
    }

    private static string ReasonOf(string id, bool isBound, bool seesTls) => (isBound, seesTls) switch
    {
        (true, false) => $"The proof of the shared key '{id}' is bound to a TLS certificate, but this server sees no TLS. Either a proxy terminates TLS " +
            $"before the server, and {nameof(SharedKeyCredentials.BindToTls)} of the client must be false, or an attacker relays proofs.",
        (false, true) => $"The proof of the shared key '{id}' is not bound to this server's certificate. Either " +
            $"{nameof(SharedKeyCredentials.BindToTls)} of the client is false, or a proxy adds TLS on the way, or an attacker relays proofs.",
        _ => $"The proof does not match the shared key '{id}': the client has another key, or made the proof for another challenge" +
            $"{(seesTls ? " or certificate" : string.Empty)}.",
    };
}

/// <summary>Proves that either side has a shared key, without revealing the key (PROTOCOL.md section 3.7).</summary>
/// <remarks>
/// The token of the dialing side, and below it the input of the two proofs: role 1 for the token, role 2 for the acceptance.
/// <code>
/// id length u8 | id | binding u8 | nonce of the client, 16 bytes | HMAC-SHA256(key, what is below), 32 bytes
/// label | role u8 | id length u8 | id | binding u8 | nonce of the client | challenge, 32 bytes | channel binding, 32 bytes if the binding is 1
/// </code>
/// </remarks>
internal static class SharedKeyProof
{
    public const string Scheme = "shared-key";

    /// <summary>Length of the client's nonce.</summary>
    public const int NonceLength = 16;

    private const int MacLength = HMACSHA256.HashSizeInBytes;

    private const byte Unbound = 0;
    private const byte BoundToCertificate = 1; // SHA-256 of the server's certificate

    // Separates domains: a key that is also used for another purpose or another version reveals nothing here.
    private static ReadOnlySpan<byte> Label => "mux/1 shared-key 3\0"u8;

    // Distinct roles: the proof of one side cannot be reflected to it as the proof of the other.
    private const byte DialingSide = 1;
    private const byte AcceptingSide = 2;

    /// <param name="key">The key, with its id.</param>
    /// <param name="challenge">The challenge to answer.</param>
    /// <param name="channelBinding">Channel binding of the connection; empty for a proof that is valid on any.</param>
    public static byte[] Make(SharedKey key, ReadOnlySpan<byte> challenge, ReadOnlySpan<byte> channelBinding)
    {
        Span<byte> nonce = stackalloc byte[NonceLength];
        RandomNumberGenerator.Fill(nonce);
        return Make(key, nonce, challenge, channelBinding);
    }

    /// <param name="key">The key, with its id.</param>
    /// <param name="nonce">The client's nonce: random, and used once.</param>
    /// <param name="challenge">The challenge to answer.</param>
    /// <param name="channelBinding">Channel binding of the connection; empty for a proof that is valid on any.</param>
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

    /// <summary>Creates the proof that the accepting side returns for a token, and that the dialing side expects.</summary>
    /// <param name="key">The key.</param>
    /// <param name="token">A token with a valid <see cref="IdOf"/>.</param>
    /// <param name="challenge">The challenge that the token answers.</param>
    /// <param name="channelBinding">The channel binding of the token; empty for none.</param>
    public static byte[] MakeAnswer(SharedKey key, ReadOnlySpan<byte> token, ReadOnlySpan<byte> challenge, ReadOnlySpan<byte> channelBinding)
    {
        var proof = new byte[MacLength];
        Compute(key.Key, AcceptingSide, token[..^MacLength], challenge, channelBinding, proof);
        return proof;
    }

    /// <summary>Gets the id of the key that a token claims to use.</summary>
    /// <returns>Null if it is not a token of this scheme.</returns>
    public static string? IdOf(ReadOnlySpan<byte> token)
    {
        if (token.IsEmpty || token.Length != 1 + token[0] + 1 + NonceLength + MacLength || BindingOf(token) > BoundToCertificate) return null;
        var id = Encoding.ASCII.GetString(token.Slice(1, token[0]));
        return SharedKey.IsId(id) ? id : null;
    }

    /// <summary>True if the token claims to be bound to one channel binding.</summary>
    /// <param name="token">A token with a valid <see cref="IdOf"/>.</param>
    public static bool IsBound(ReadOnlySpan<byte> token) => BindingOf(token) != Unbound;

    /// <summary>True if the token was made with the key, for the challenge and the connection. Takes the same time for every key of one length.</summary>
    /// <param name="key">The key.</param>
    /// <param name="token">A token with a valid <see cref="IdOf"/>.</param>
    /// <param name="challenge">The challenge that it must answer.</param>
    /// <param name="channelBinding">Channel binding of the connection on which it arrived.</param>
    public static bool IsMadeWith(ReadOnlySpan<byte> key, ReadOnlySpan<byte> token, ReadOnlySpan<byte> challenge, ReadOnlySpan<byte> channelBinding)
    {
        Span<byte> mac = stackalloc byte[MacLength];
        Compute(key, DialingSide, token[..^MacLength], challenge, channelBinding, mac);
        return CryptographicOperations.FixedTimeEquals(mac, token[^MacLength..]) && IsBound(token) == !channelBinding.IsEmpty;
    }

    private static byte BindingOf(ReadOnlySpan<byte> token) => token[1 + token[0]];

    /// <param name="key">The key.</param>
    /// <param name="role">Role of the proving side.</param>
    /// <param name="claim">Id, binding and nonce of the client, as in the token.</param>
    /// <param name="challenge">The server's challenge.</param>
    /// <param name="channelBinding">Channel binding of the connection.</param>
    /// <param name="mac">Destination of the result.</param>
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
