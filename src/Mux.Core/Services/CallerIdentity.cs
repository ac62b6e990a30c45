using System.Security.Claims;
using System.Security.Principal;
using Mux.Sessions.Incoming;

namespace Mux.Services;

/// <summary>Decides which user a handler sees.</summary>
internal static class CallerIdentity
{
    /// <summary>The role of peers that are believed when they say for whom they forward a call.</summary>
    public const string GatewayRole = "mux-gateway";

    /// <summary>
    /// Gets the user of a call: that of its connection. If that is a gateway that has forwarded the call, the user that the gateway names, who has a name and
    /// no roles; null if the caller of the gateway was anonymous.
    /// </summary>
    public static ClaimsPrincipal? Of(in InboundCall call)
    {
        var user = call.Session.Access?.User;
        if (user is null || call.Extras is not { Hops: > 0 } extras || !user.IsInRole(GatewayRole)) return user;
        return extras.Caller is { } name ? new ClaimsPrincipal(new GenericIdentity(name, GatewayRole)) : null;
    }
}
