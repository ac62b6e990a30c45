namespace Mux.Client;

/// <summary>Tells failures that speak against an endpoint from those that its callers cause, or by which it protects itself.</summary>
internal static class EndpointFaults
{
    /// <summary>
    /// True for calls that the endpoint did not run because it is full or stops. With these a time to wait is about the endpoint; a handler that gives one to
    /// its caller, whose quota is used up, says nothing about the calls of others.
    /// </summary>
    public static bool IsRefusal(MuxStatus status, MuxExecution execution) =>
        execution == MuxExecution.NotExecuted && status is MuxStatus.Unavailable or MuxStatus.ResourceExhausted;

    /// <summary>
    /// True for lost and silent connections, failures of handlers and of the engine, and deadlines that passed after the request was sent; and for requests
    /// that the endpoint rejected although it should not: it lacks the method, does not know the identity that others accept, or takes no calls at all. It
    /// answers those fast, and would look idle. False for what a caller causes, such as PermissionDenied, and for a full endpoint, which is given less.
    /// </summary>
    public static bool IsFault(MuxStatus status, MuxExecution execution, MuxCallPhase phase) => status switch
    {
        MuxStatus.Unavailable or MuxStatus.Internal or MuxStatus.Unknown or MuxStatus.DataLoss => phase != MuxCallPhase.Encode,
        MuxStatus.DeadlineExceeded => execution != MuxExecution.NotExecuted,
        MuxStatus.Unimplemented or MuxStatus.Unauthenticated => execution == MuxExecution.NotExecuted, // otherwise the handler said it to its caller
        _ => false,
    };
}
