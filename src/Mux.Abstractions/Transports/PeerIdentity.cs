using System.Security.Claims;

namespace Mux.Transports;

/// <summary>Who a peer is, and for how long that holds. Immutable; its principal is shared by all calls of a connection and must not be changed.</summary>
/// <param name="user">What is known of the peer. Its first identity is authenticated.</param>
/// <param name="expiresAt">When the credential that shows it expires; null for one that does not.</param>
public sealed class PeerIdentity(ClaimsPrincipal user, DateTimeOffset? expiresAt = null)
{
    /// <summary>What is known of the peer.</summary>
    public ClaimsPrincipal User { get; } = user ?? throw new ArgumentNullException(nameof(user));

    /// <summary>When the credential that shows it expires; null for one that does not.</summary>
    public DateTimeOffset? ExpiresAt { get; } = expiresAt;
}
