using System.Security.Claims;
using System.Security.Cryptography;
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
