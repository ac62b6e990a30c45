using System.Globalization;
using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;
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

/// <summary>
/// What is known of the execution of a call over all of its attempts: the strongest of them. A call that one server may have executed stays so, although the
/// next server has refused it. A mutable value; its owner guards it.
/// </summary>
internal struct AttemptVerdict
{
    /// <summary>The verdict over the attempts so far; <see cref="MuxExecution.NotExecuted"/> before the first.</summary>
    public MuxExecution Execution { get; private set; }

    /// <summary>Adds an attempt.</summary>
    public void Add(MuxExecution attempt) => Execution = Strongest(Execution, attempt);

    /// <summary>Gets the stronger of two: NotExecuted &lt; MayHaveExecuted &lt; Executed.</summary>
    public static MuxExecution Strongest(MuxExecution first, MuxExecution second) => first > second ? first : second;
}

/// <summary>Says how long a call was allowed to take, and by what. Found out when the call has failed: until then nothing but its deadline is kept.</summary>
internal static class DeadlineText
{
    private const string AnySource = "Allow more time: Timeout of the call, TimeoutMilliseconds in its contract, CallTimeout of the channel, or the deadline " +
        "that it inherits from the call that it was made in.";

    /// <summary>Gets the message for a call whose deadline has passed.</summary>
    public static string Of(CallRoute route, OutgoingCall call, CallFailure failure)
    {
        bool isStream = failure.Phase == MuxCallPhase.Wait && call is OutgoingStreamCall { HasResponseStream: true };
        var what = isStream
            ? failure.Text.Replace(CallFailure.NoReplyInTime, "The deadline passed before the response stream ended.", StringComparison.Ordinal)
            : failure.Text;
        return $"{what} {AdviceFor(route, call)}";
    }

    private static string AdviceFor(CallRoute route, OutgoingCall call)
    {
        // The time of a call that was given back by a connection counts from then, so it equals no default.
        long time = call.Due - call.StartedAt;
        if (time != OutgoingOptions.DeadlineOf(call.Method, route)) return AnySource;
        var source = call.Method.Choices.Timeout is null ? "CallTimeout of the channel" : "TimeoutMilliseconds in its contract";
        return string.Create(CultureInfo.InvariantCulture, $"The call had {time / 1000.0:0.###} ms: to allow more, raise {source}.");
    }
}

/// <summary>
/// Says what had happened to a call before it failed: which server refused it, how often and why. Found out when the call
/// has failed: until then nothing but the last failure is kept.
/// </summary>
internal static class RefusalText
{
    /// <summary>Adds that to the failure of a call whose request is kept.</summary>
    /// <param name="route">The route of the call.</param>
    /// <param name="call">The call, which is not sent again.</param>
    /// <param name="last">The failure of its last attempt.</param>
    /// <param name="isForwarded">True at a gateway, whose clients learn neither addresses of services nor how their
    /// connections fail.</param>
    public static CallFailure AddTo(CallRoute route, OutgoingCall call, CallFailure last, bool isForwarded)
    {
        var kept = call.Kept!;
        var text = OutgoingFailure.AttemptOf(last).IsRefused ? OfLastRefusal(route, kept, isForwarded)
            : IsOfThisSide(last) ? OfEarlier(route, kept, last, isForwarded)
            : null;
        return string.IsNullOrEmpty(text) ? last : last with { Text = last.Text + text };
    }

    /// <summary>True if no server has said how the call ended.</summary>
    private static bool IsOfThisSide(CallFailure failure) => failure.IsOwnDeadline || failure.IsCallerCancel
        || (failure.Execution == MuxExecution.NotExecuted && failure.Phase is MuxCallPhase.Connect or MuxCallPhase.Queue);

    private static string OfLastRefusal(CallRoute route, KeptRequest kept, bool isForwarded)
    {
        int refusals = kept.RefusedTimes + 1;
        var how = refusals == 1 ? null : $" The call was refused {refusals} times within {MillisecondsOf(route, kept)}.";
        var why = isForwarded ? null : kept.Stop switch
        {
            RepeatStop.Deadline => " It is not sent again, because its deadline comes before the end of the next pause.",
            RepeatStop.Budget => " It is not sent again, because the retry budget of the channel is empty.",
            _ => null,
        };
        return how + why + AdviceFor(kept);
    }

    private static string? OfEarlier(CallRoute route, KeptRequest kept, CallFailure last, bool isForwarded)
    {
        if (kept.Refusal is { } refusal)
        {
            var server = isForwarded ? "the service" : kept.RefusedBy;
            int refusals = kept.RefusedTimes;
            var how = refusals == 1 ? $"once, by {server}, " : $"{refusals} times, most recently by {server}, ";
            // The connection in which it waited then may have told the same.
            bool isTold = last.Text.Contains(refusal.Text, StringComparison.Ordinal);
            var text = isTold ? "." : $": {refusal.Text}{AdviceFor(kept)}";
            return $" It had been refused {how}in the last {MillisecondsOf(route, kept)}{text}";
        }

        // What waits for a server tells itself why none was reached.
        if (isForwarded || kept.Last is not { } before || OutgoingFailure.AttemptOf(before).IsUnsent) return null;
        return $" The attempt before had failed at {kept.Avoided} ({before.Status}): {before.Text}";
    }

    private static string? AdviceFor(KeptRequest kept) => kept.Pauses == 0 ? null : $" {CallFailure.AdviceForLarge}";

    private static string MillisecondsOf(CallRoute route, KeptRequest kept)
    {
        double time = route.Clock.Now - kept.RefusedAt;
        return string.Create(CultureInfo.InvariantCulture, $"{time / Clock.MicrosecondsPerMillisecond:0} ms");
    }
}
