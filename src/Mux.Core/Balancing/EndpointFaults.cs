namespace Mux.Balancing;

/// <summary>Tells failures that speak against an endpoint from those that its callers cause, or by which it protects itself.</summary>
internal static class EndpointFaults
{
    /// <summary>
    /// True for lost and silent connections, failures of handlers and of the engine, and deadlines that passed after the request was sent. False for what a
    /// caller causes, such as PermissionDenied, and for requests that the endpoint refused before it ran them: it drains, or is full.
    /// </summary>
    public static bool IsFault(MuxStatus status, MuxExecution execution) =>
        execution != MuxExecution.NotExecuted
        && status is MuxStatus.Unavailable or MuxStatus.Internal or MuxStatus.Unknown or MuxStatus.DataLoss or MuxStatus.DeadlineExceeded;
}
