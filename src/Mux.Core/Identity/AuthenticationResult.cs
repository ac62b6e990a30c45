using System.Diagnostics.CodeAnalysis;
using Mux.Transports;

namespace Mux.Identity;

/// <summary>What an <see cref="Authenticator"/> has found out. Immutable.</summary>
public sealed class AuthenticationResult
{
    private AuthenticationResult(PeerIdentity? identity, string reason)
    {
        Identity = identity;
        Reason = reason;
    }

    /// <summary>Who the peer is; null if it is refused.</summary>
    public PeerIdentity? Identity { get; }

    /// <summary>Why it is refused; empty if it is not.</summary>
    public string Reason { get; }

    [MemberNotNullWhen(true, nameof(Identity))]
    internal bool IsSuccess => Identity is not null;

    /// <summary>The peer is known.</summary>
    /// <param name="identity">Its principal has an authenticated identity. Once it expires, calls fail unless the peer has shown another credential.</param>
    public static AuthenticationResult Success(PeerIdentity identity)
    {
        ArgumentNullException.ThrowIfNull(identity);
        return new(identity, string.Empty);
    }

    /// <summary>The peer is refused. It is told no more than that; the reason goes to the log.</summary>
    /// <param name="reason">For people. Nothing of the credential.</param>
    public static AuthenticationResult Fail(string reason)
    {
        ArgumentException.ThrowIfNullOrEmpty(reason);
        return new(null, reason);
    }
}
