using System.Security.Claims;
using Mux.Engine;

namespace Mux.Calls;

/// <summary>Decides which user a handler sees.</summary>
internal static class CallerIdentity
{
    /// <summary>
    /// Gets the user of a call: that of its connection. If that is a gateway that is believed and has forwarded the call, the user that the gateway names;
    /// null if the caller of the gateway was anonymous.
    /// </summary>
    public static ClaimsPrincipal? Of(in InboundCall call) =>
        call.IsForwarded && call.Session.Access is { IsGateway: true } ? call.Extras?.Caller?.User : call.Session.Access?.User;
}
