using System.Security.Claims;
using System.Security.Cryptography;
using Mux.Transports;

namespace Mux.Identity;

/// <summary>Takes proofs of shared keys. Two keys of one client may be in force while it changes them.</summary>
/// <param name="keys">Each with an id of its own.</param>
/// <param name="lifetime">After which a peer has to show its key again; null for never.</param>
/// <param name="timeProvider">For the lifetime.</param>
internal sealed class SharedKeyAuthenticator(IEnumerable<SharedKey> keys, TimeSpan? lifetime, TimeProvider timeProvider) : Authenticator
{
    private readonly Dictionary<string, SharedKey> _keys = keys.ToDictionary(key => key.Id, StringComparer.Ordinal);
    private readonly byte[] _nobodysKey = RandomNumberGenerator.GetBytes(SharedKey.MinLength); // so that an id that does not exist takes as long to refuse

    public override string Scheme => SharedKeyProof.Scheme;

    public override ValueTask<AuthenticationResult> AuthenticateAsync(AuthenticationAttempt attempt, CancellationToken cancellationToken) => new(Authenticate(attempt));

    private AuthenticationResult Authenticate(AuthenticationAttempt attempt)
    {
        var token = attempt.Token.Span;
        if (SharedKeyProof.IdOf(token) is not { } id) return AuthenticationResult.Fail("The token is no proof of a shared key.");
        var key = _keys.GetValueOrDefault(id);
        if (!SharedKeyProof.IsMadeWith(key?.Key ?? _nobodysKey, token, attempt.Challenge.Span) || key is null)
            return AuthenticationResult.Fail(key is null ? $"There is no shared key '{id}'." : $"The proof was not made with the shared key '{id}', or for another challenge.");
        List<Claim> claims = [new(ClaimTypes.NameIdentifier, id), new(ClaimTypes.Name, id), .. key.Roles.Select(role => new Claim(ClaimTypes.Role, role))];
        var user = new ClaimsPrincipal(new ClaimsIdentity(claims, SharedKeyProof.Scheme));
        return AuthenticationResult.Success(new PeerIdentity(user, lifetime is { } time ? timeProvider.GetUtcNow() + time : null));
    }
}
