using System.Globalization;
using Mux.Engine;

namespace Mux.Calls;

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
