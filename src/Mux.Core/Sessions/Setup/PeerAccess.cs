using System.Security.Claims;
using Mux.Contracts;

namespace Mux.Sessions.Setup;

/// <summary>Says what an admitted peer may do. Immutable; safe for concurrent use.</summary>
internal abstract class PeerAccess
{
    /// <summary>The user that the peer authenticated as; null if it is anonymous.</summary>
    public abstract ClaimsPrincipal? User { get; }

    /// <summary>Time at which the access expires; null if it does not.</summary>
    public abstract DateTimeOffset? ExpiresAt { get; }

    /// <summary>True if the peer may call a method. No user code runs, and nothing is logged.</summary>
    /// <param name="method">A method that this side has.</param>
    /// <param name="isExpired">True if the access has expired.</param>
    public abstract bool Allows(MethodDescriptor method, bool isExpired);

    /// <summary>Decides about a call that the peer makes. No user code runs.</summary>
    /// <param name="method">A method that this side has.</param>
    /// <param name="isExpired">True if the access has expired.</param>
    /// <returns>Ok, Unauthenticated or PermissionDenied.</returns>
    public abstract MuxStatus Judge(MethodDescriptor method, bool isExpired);
}
