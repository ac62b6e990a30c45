using System.Security.Claims;
using Mux.Contracts;

namespace Mux.Engine;

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

    /// <summary>True if the peer may forward a call of a method for a caller. May run user code, and nothing is logged.</summary>
    /// <param name="method">A method that this side has.</param>
    /// <param name="caller">The caller, as the handler of a forwarded call sees it; null if it is anonymous.</param>
    /// <param name="isExpired">True if the access has expired.</param>
    public virtual bool AllowsForwarded(MethodDescriptor method, ClaimsPrincipal? caller, bool isExpired) => Allows(method, isExpired);

    /// <summary>Decides about a call that the peer makes. No user code runs.</summary>
    /// <param name="method">A method that this side has.</param>
    /// <param name="isExpired">True if the access has expired.</param>
    /// <returns>Ok, Unauthenticated or PermissionDenied.</returns>
    public abstract MuxStatus Judge(MethodDescriptor method, bool isExpired);

    /// <summary>True if the peer is a gateway that this side lets name the callers of the requests that it forwards.</summary>
    public virtual bool IsGateway => false;

    /// <summary>Gets the caller of a forwarded request. In the turn.</summary>
    /// <param name="metadata">The block of metadata that came with the request.</param>
    /// <returns>The caller; null if the gateway names none, or the peer is no gateway that is believed.</returns>
    public virtual ForwardedCaller? FindCaller(ReadOnlySpan<byte> metadata) => null;

    /// <summary>Decides about a request that the peer has forwarded as a gateway. No user code runs.</summary>
    /// <param name="method">A method that anonymous callers may not call.</param>
    /// <param name="caller">See <see cref="FindCaller"/>.</param>
    /// <param name="isExpired">True if the access has expired.</param>
    /// <returns>Ok, Unauthenticated or PermissionDenied; null if user code decides: <see cref="ForwardedCaller.Decide"/>.</returns>
    public virtual MuxStatus? JudgeForwarded(MethodDescriptor method, ForwardedCaller? caller, bool isExpired) => Judge(method, isExpired);
}

/// <summary>A caller as a gateway that is believed names it. Safe for concurrent use.</summary>
internal abstract class ForwardedCaller
{
    /// <summary>The user: the name, the roles and the claims that the gateway passes on.</summary>
    public abstract ClaimsPrincipal User { get; }

    /// <summary>
    /// False if the gateway does not know the roles and claims of the caller. Then no rule about them is met: "all but guests" would accept every
    /// caller.
    /// </summary>
    public abstract bool KnowsRoles { get; }

    /// <summary>Decides whether the caller may call a method, and remembers it. Runs user code: the policies of the server. Never throws.</summary>
    /// <param name="method">A method that this side has.</param>
    /// <returns>Ok or PermissionDenied.</returns>
    public abstract MuxStatus Decide(MethodDescriptor method);
}
