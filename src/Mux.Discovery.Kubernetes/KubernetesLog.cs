using Microsoft.Extensions.Logging;

namespace Mux.Discovery.Kubernetes;

/// <summary>Log messages of sources. Their ids are 51xx. Users filter by event name, so the names do not change.</summary>
internal static partial class KubernetesLog
{
    [LoggerMessage(5101, LogLevel.Warning, "Endpoints of the EndpointSlice {Slice} of {Service} are skipped: {Reason}. Logged once, until the reason changes.",
        EventName = "KubernetesEndpointsSkipped")]
    public static partial void EndpointsSkipped(ILogger logger, string slice, string service, string reason);
}
