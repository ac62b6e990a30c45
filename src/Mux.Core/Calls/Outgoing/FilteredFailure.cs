using Mux.Contracts;

namespace Mux.Calls;

/// <summary>Creates the failures that callers receive of calls which a filter has ended.</summary>
internal static class FilteredFailure
{
    /// <summary>Gets the failure that a caller receives.</summary>
    /// <param name="failure">The failure that a filter has set, which may come from a call.</param>
    /// <param name="method">The method.</param>
    /// <param name="hasStarted">True if the request may have been sent. Otherwise no handler has run.</param>
    public static MuxFailure Of(MuxFailure failure, MethodDescriptor method, bool hasStarted)
    {
        if (failure.Method is not null) return failure; // of this call, or of another one that the filter made
        return new MuxFailure(failure.Status, failure.Message, failure.Detail)
        {
            Execution = hasStarted ? failure.Execution : MuxExecution.NotExecuted,
            Phase = hasStarted ? failure.Phase : MuxCallPhase.Encode,
            Endpoint = failure.Endpoint,
            Method = method.FullName,
            RetryAfter = failure.RetryAfter,
            Attempts = failure.Attempts,
            Exception = failure.Exception,
        };
    }

    /// <summary>Gets the failure of an exception, for a method whose callers get failures as values.</summary>
    public static MuxFailure Of(MuxException error) => new(error.Status, error.Message, error.Detail)
    {
        Execution = error.Execution,
        Phase = error.Phase,
        Endpoint = error.Endpoint,
        Method = error.Method,
        RetryAfter = error.RetryAfter,
        Attempts = error.Attempts,
        Exception = error.InnerException,
    };

    /// <summary>Gets the status that the caller sees for an exception.</summary>
    public static MuxStatus StatusOf(Exception error) => error switch
    {
        MuxException known => known.Status,
        OperationCanceledException => MuxStatus.Cancelled,
        _ => MuxStatus.Unknown,
    };
}
