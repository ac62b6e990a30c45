using System.Globalization;
using Mux.Engine;
using Mux.Runtime;

namespace Mux.Calls;

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
