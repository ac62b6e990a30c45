using System.Security.Claims;
using Microsoft.Extensions.Logging;
using Mux.Contracts;
using Mux.Engine;
using Mux.Runtime;
using Mux.Telemetry;
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

/// <summary>Log messages about the identity of a server's clients. Users filter by event name, so the names do not change. Never logs a credential.</summary>
internal static partial class IdentityLog
{
    [LoggerMessage(EventIds.PeerAuthenticated, LogLevel.Debug, "The peer at {RemoteAddress} is {User}, authenticated by {Scheme} until {ExpiresAt}.",
        EventName = "PeerAuthenticated")]
    public static partial void PeerAuthenticated(ILogger logger, string remoteAddress, string user, string scheme, DateTimeOffset? expiresAt);

    [LoggerMessage(EventIds.AuthenticatorFailed, LogLevel.Error, "The authenticator threw an exception for a credential from {RemoteAddress}.{Others}",
        EventName = "AuthenticatorFailed")]
    public static partial void AuthenticatorFailed(ILogger logger, string remoteAddress, SuppressedCount others, Exception error);

    [LoggerMessage(EventIds.PolicyFailed, LogLevel.Error, "The policy {Policy} threw an exception and counts as not met.{Others}", EventName = "PolicyFailed")]
    public static partial void PolicyFailed(ILogger logger, string policy, SuppressedCount others, Exception error);

    [LoggerMessage(EventIds.AccessDenied, LogLevel.Warning, "A call of {Method} by {User} at {RemoteAddress} was rejected: {Reason}.{Others}",
        EventName = "AccessDenied")]
    public static partial void AccessDenied(ILogger logger, string method, string user, string remoteAddress, string reason, SuppressedCount others);

    [LoggerMessage(EventIds.MethodsDenied, LogLevel.Warning, "No peer may call {Methods}: the server requires authorization, and these methods declare " +
        "none. Add [MuxAuthorize] or [MuxAllowAnonymous] to them.", EventName = "MethodsDenied")]
    public static partial void MethodsDenied(ILogger logger, string methods);
}
