using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.Serialization;

namespace Mux.Calls;

/// <summary>Creates the failures that callers receive.</summary>
internal static class OutgoingFailure
{
    /// <summary>Describes the failure of a call.</summary>
    /// <param name="route">The route of the call.</param>
    /// <param name="method">The method.</param>
    /// <param name="call">The call; null if it was not made.</param>
    /// <param name="failure">The failure.</param>
    public static MuxFailure Describe(CallRoute route, ContractMethod method, OutgoingCall? call, CallFailure failure)
    {
        var endpoint = route.EndpointOf(call);
        route.CountFailed(failure);
        if (failure.IsOwnDeadline && call is not null) failure = failure with { Text = DeadlineText.Of(route, call, failure) };
        return Describe(method, endpoint, failure);
    }

    /// <summary>Gets what of a failure decides whether the call is sent again.</summary>
    public static FailedAttempt AttemptOf(CallFailure failure) =>
        new(failure.Status, failure.Execution, failure.Phase, failure.RetryAfterMilliseconds);

    /// <summary>
    /// Gets the failure of a call over all of its attempts: the last one, with the strongest verdict on its execution. Before the request is released.
    /// </summary>
    /// <param name="route">The route of the call.</param>
    /// <param name="call">The call.</param>
    /// <param name="last">The failure of its last attempt.</param>
    /// <param name="isForwarded">True if a gateway forwards the call.</param>
    public static CallFailure OverAttempts(
        CallRoute route, OutgoingCall call, CallFailure last, bool isForwarded = false)
    {
        last = RefusalText.AddTo(route, call, last, isForwarded);
        var earlier = call.Kept!.Attempts;
        if (earlier.Count == 0) return last;
        var verdict = default(AttemptVerdict);
        foreach (var attempt in earlier) verdict.Add(attempt.Execution);
        verdict.Add(last.Execution);
        return last with
        {
            Execution = verdict.Execution,
            Attempts = [.. earlier, new MuxAttempt(route.EndpointOf(call), last.Status, last.Execution, last.Phase)],
        };
    }

    /// <summary>Counts and describes a call that was not made because its request could not be encoded.</summary>
    public static MuxFailure CountUnencodable(CallRoute route, ContractMethod method, Exception error)
    {
        var failure = Unencodable(method, route.EndpointOf(null), error);
        route.Ledger.CountOutside(method.Descriptor, failure.Status);
        return failure;
    }

    /// <summary>Describes a call that was not made because its request could not be encoded.</summary>
    /// <param name="method">The method.</param>
    /// <param name="endpoint">Where it would have gone.</param>
    /// <param name="error">What the codec has thrown.</param>
    public static MuxFailure Unencodable(ContractMethod method, string endpoint, Exception error)
    {
        var status = OutOfMemory.StatusOr(error, error is ArgumentNullException ? MuxStatus.InvalidArgument : MuxStatus.Internal);
        var text = $"the request could not be encoded: {error.Message}";
        return Describe(method, endpoint, new CallFailure(status, MuxExecution.NotExecuted, MuxCallPhase.Encode, text, error));
    }

    /// <summary>Describes a call that was not made because no peer would take it.</summary>
    /// <param name="method">The method.</param>
    /// <param name="endpoint">Where it would have gone.</param>
    /// <param name="text">What is too much.</param>
    public static MuxFailure NotSendable(ContractMethod method, string endpoint, string text) =>
        Describe(method, endpoint, new CallFailure(MuxStatus.ResourceExhausted, MuxExecution.NotExecuted, MuxCallPhase.Encode, text));

    private static MuxFailure Describe(ContractMethod method, string endpoint, CallFailure failure) =>
        new(failure.Status, failure.Describe(method.Descriptor, endpoint), DecodeDetail(method, failure))
        {
            Execution = failure.Execution,
            Phase = failure.Phase,
            Endpoint = endpoint,
            Method = method.Descriptor.FullName,
            Attempts = failure.Attempts ?? [],
            RetryAfter = RetryHint.TimeOf(failure.RetryAfterMilliseconds),
            Exception = failure.Error,
        };

    /// <summary>Decodes the error detail. Null if it is not declared here or cannot be decoded: the failure itself must reach the caller.</summary>
    private static object? DecodeDetail(ContractMethod method, CallFailure failure)
    {
        if (failure.Detail is not { } bytes) return null;
        try
        {
            return method.Details?.Decode(failure.DetailNumber, bytes);
        }
        catch (Exception)
        {
            return null;
        }
    }
}
