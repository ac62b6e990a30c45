using Microsoft.Extensions.Logging;
using Mux.Diagnostics;

namespace Mux.Identity;

/// <summary>What a server logs of who its clients are. The event names are what people filter by: they do not change. Never a credential.</summary>
internal static partial class IdentityLog
{
    [LoggerMessage(EventIds.PeerAuthenticated, LogLevel.Debug, "The peer at {RemoteAddress} is {User}, by the scheme {Scheme}, until {ExpiresAt}.",
        EventName = "PeerAuthenticated")]
    public static partial void PeerAuthenticated(ILogger logger, string remoteAddress, string user, string scheme, DateTimeOffset? expiresAt);

    [LoggerMessage(EventIds.AuthenticatorFailed, LogLevel.Error, "The authenticator threw at a credential of {RemoteAddress}. Since the last such message " +
        "{Others} others did.", EventName = "AuthenticatorFailed")]
    public static partial void AuthenticatorFailed(ILogger logger, string remoteAddress, int others, Exception error);

    [LoggerMessage(EventIds.PolicyFailed, LogLevel.Error, "The policy {Policy} threw and counts as not met. Since the last such message {Others} others did.",
        EventName = "PolicyFailed")]
    public static partial void PolicyFailed(ILogger logger, string policy, int others, Exception error);

    [LoggerMessage(EventIds.AccessDenied, LogLevel.Warning, "A call of {Method} by {User} at {RemoteAddress} is refused: {Reason}. Since the last such " +
        "message {Others} others were.", EventName = "AccessDenied")]
    public static partial void AccessDenied(ILogger logger, string method, string user, string remoteAddress, string reason, int others);

    [LoggerMessage(EventIds.MethodsDenied, LogLevel.Warning, "Nobody may call {Methods}: there are policies, and these methods say nothing. Give them " +
        "[MuxAuthorize] or [MuxAllowAnonymous].", EventName = "MethodsDenied")]
    public static partial void MethodsDenied(ILogger logger, string methods);
}
