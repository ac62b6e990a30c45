using Microsoft.Extensions.Logging;
using Mux.Logging;

namespace Mux.Forwarding;

/// <summary>Log messages of a gateway. Users filter by event name, so the names do not change.</summary>
internal static partial class ForwardingLog
{
    [LoggerMessage(EventIds.ClaimsNotPassed, LogLevel.Warning, "The route '{Pattern}' passes on the name of {User} without roles and claims: they take more " +
        "than {Limit} bytes, so services take the user for one without roles. Give the user fewer roles, or name fewer types in Claims of the route.",
        EventName = "ClaimsNotPassed")]
    public static partial void ClaimsNotPassed(ILogger logger, string pattern, string user, int limit);
}
