using System.Security.Claims;

namespace Mux.Transports;

/// <summary>
/// The authenticated identity of a peer, and its expiry. Immutable. All calls of a connection share the principal: do not change it.
/// </summary>
/// <param name="user">The claims about the peer. Its first identity must be authenticated, that is, have an authentication type; otherwise a server rejects the
/// peer.</param>
/// <param name="expiresAt">The time at which the credential expires; null if it does not expire.</param>
public sealed class PeerIdentity(ClaimsPrincipal user, DateTimeOffset? expiresAt = null)
{
    /// <summary>Gets the claims about the peer.</summary>
    public ClaimsPrincipal User { get; } = user ?? throw new ArgumentNullException(nameof(user));

    /// <summary>Gets the time at which the credential expires; null if it does not expire.</summary>
    public DateTimeOffset? ExpiresAt { get; } = expiresAt;
}
