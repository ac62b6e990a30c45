using Mux.Channels;
using Mux.Connections;

namespace Mux.Contracts;

/// <summary>Makes what a caller learns of a failure.</summary>
internal static class OutgoingFailure
{
    public static MuxFailure Describe<TMethod>(ConnectionPool pool, CallFailure failure)
        where TMethod : struct, IMethod
    {
        var method = TMethod.Descriptor;
        return new MuxFailure(failure.Status, failure.Describe(method, pool.Endpoint), DecodeDetail<TMethod>(failure))
        {
            Execution = failure.Execution,
            Phase = failure.Phase,
            Endpoint = pool.Endpoint,
            Method = method.FullName,
            RetryAfter = failure.RetryAfterMilliseconds == 0 ? null : TimeSpan.FromMilliseconds(failure.RetryAfterMilliseconds),
            Exception = failure.Error,
        };
    }

    /// <summary>Counts a call whose request could not be encoded, so that it was never made, and describes it.</summary>
    public static MuxFailure CountUnencodable<TMethod>(ConnectionPool pool, Exception error)
        where TMethod : struct, IMethod
    {
        var status = error is ArgumentNullException ? MuxStatus.InvalidArgument : MuxStatus.Internal;
        pool.Ledger.CountOutside(TMethod.Descriptor, status);
        return Describe<TMethod>(pool, new CallFailure(status, MuxExecution.NotExecuted, MuxPhase.Encode, $"the request could not be encoded: {error.Message}", error));
    }

    /// <summary>A detail that is not declared here, or cannot be decoded, is none: the failure itself must reach the caller.</summary>
    private static object? DecodeDetail<TMethod>(CallFailure failure)
        where TMethod : struct, IMethod
    {
        if (failure.Detail is not { } bytes) return null;
        try
        {
            return TMethod.DecodeDetail(failure.DetailNumber, bytes);
        }
        catch (Exception)
        {
            return null;
        }
    }
}
