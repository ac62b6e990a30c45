using System.Security.Claims;
using Mux.Contracts;
using Mux.Engine;
using Mux.Transports;

namespace Mux.Server;

/// <summary>
/// What a server may call at a client: methods with <see cref="MuxAuthorizeAttribute"/> only if its certificate was verified, all others always. The client has
/// chosen the server, so what a contract does not say is allowed. Immutable.
/// </summary>
internal sealed class ServerAccess(PeerIdentity? identity) : PeerAccess
{
    private static readonly ServerAccess s_ofUnknown = new(null);

    public override ClaimsPrincipal? User => identity?.User;

    /// <summary>Never: a certificate is checked when a connection is made, and the connection outlives it.</summary>
    public override DateTimeOffset? ExpiresAt => null;

    /// <summary>Gets the access of a server.</summary>
    /// <param name="identity">What its verified certificate says; null if it has none.</param>
    public static PeerAccess Of(PeerIdentity? identity) => identity is null ? s_ofUnknown : new ServerAccess(identity);

    public override bool Allows(MethodDescriptor method, bool isExpired) => method.Authorization is not { RequiresUser: true } || identity is not null;

    public override MuxStatus Judge(MethodDescriptor method, bool isExpired) => Allows(method, isExpired) ? MuxStatus.Ok : MuxStatus.Unauthenticated;
}
