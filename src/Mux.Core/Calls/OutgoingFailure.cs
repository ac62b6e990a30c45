using Mux.Contracts;
using Mux.Sessions.Calls;

namespace Mux.Calls;

/// <summary>Makes what a caller learns of a failure.</summary>
internal static class OutgoingFailure
{
    /// <param name="route">Carries the call.</param>
    /// <param name="call">The call; null if it was not made.</param>
    /// <param name="failure">How it ended.</param>
    public static MuxFailure Describe<TMethod>(CallRoute route, OutgoingCall? call, CallFailure failure)
        where TMethod : struct, IMethod
    {
        var method = TMethod.Descriptor;
        var endpoint = route.EndpointOf(call);
        return new MuxFailure(failure.Status, failure.Describe(method, endpoint), DecodeDetail<TMethod>(failure))
        {
            Execution = failure.Execution,
            Phase = failure.Phase,
            Endpoint = endpoint,
            Method = method.FullName,
            RetryAfter = failure.RetryAfterMilliseconds == 0 ? null : TimeSpan.FromMilliseconds(failure.RetryAfterMilliseconds),
            Exception = failure.Error,
        };
    }

    /// <summary>Counts a call whose request could not be encoded, so that it was never made, and describes it.</summary>
    public static MuxFailure CountUnencodable<TMethod>(CallRoute route, Exception error)
        where TMethod : struct, IMethod
    {
        var status = error is ArgumentNullException ? MuxStatus.InvalidArgument : MuxStatus.Internal;
        route.Ledger.CountOutside(TMethod.Descriptor, status);
        return Describe<TMethod>(
            route, null, new CallFailure(status, MuxExecution.NotExecuted, MuxCallPhase.Encode, $"the request could not be encoded: {error.Message}", error));
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
