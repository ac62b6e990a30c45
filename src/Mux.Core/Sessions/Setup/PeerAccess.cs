using System.Security.Claims;
using Mux.Contracts;

namespace Mux.Sessions.Setup;

/// <summary>What a peer that was let in may do. Immutable; safe for concurrent use.</summary>
internal abstract class PeerAccess
{
    /// <summary>Who it is; null for nobody in particular.</summary>
    public abstract ClaimsPrincipal? User { get; }

    /// <summary>Until when it holds; null for ever.</summary>
    public abstract DateTimeOffset? ExpiresAt { get; }

    /// <summary>Whether it may call a method. No user code runs.</summary>
    /// <param name="method">One that this side has.</param>
    /// <param name="isExpired">Whether its time is over.</param>
    /// <returns>Ok, Unauthenticated or PermissionDenied.</returns>
    public abstract MuxStatus Judge(MethodDescriptor method, bool isExpired);
}
