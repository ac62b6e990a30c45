using System.Diagnostics;
using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;
using Mux.Telemetry;

namespace Mux.Calls;

/// <summary>
/// Gives a call its deadline and its extras before it starts. They come from its own options or those in force, its method, its channel, and the call that it
/// is made in.
/// </summary>
internal static class OutgoingOptions
{
    /// <summary>True if a call without options may still get some.</summary>
    public static bool IsAnythingAmbient => MuxCallOptions.Current is not null || AmbientCall.IsKnown || Tracing.IsUsed;

    /// <summary>Gets the options in the head of every request of a method.</summary>
    public static RequestOptions OfMethod(MethodDescriptor method)
    {
        var options = (RequestOptions)method.Choices.Priority;
        if ((method.Shape & MethodShape.OneWay) != 0) options |= RequestOptions.OneWay;
        if ((method.Shape & MethodShape.RequestStream) != 0) options |= RequestOptions.Stream;
        if (method.Choices.Idempotent) options |= RequestOptions.Idempotent;
        return options;
    }

    /// <summary>Gets the default deadline of a method's calls, in microseconds.</summary>
    public static long DeadlineOf(MethodDescriptor method, CallRoute route) => method.Choices.Timeout is { } own ? (long)own.TotalMicroseconds
        : HasDefaultTimeout(method.Shape) ? route.Deadline : Clock.Never;

    /// <summary>
    /// True if the time limit of a channel is meant for calls of this shape. It says how long a caller waits for an answer; how long a stream is open is for
    /// its contract to say.
    /// </summary>
    public static bool HasDefaultTimeout(MethodShape shape) => (shape & MethodShape.Duplex) == 0;

    /// <summary>Gets the options of a call that is about to be made: its own, or those of the scope that it is made in.</summary>
    public static MuxCallOptions? InForce(MuxCallOptions? own) => own ?? MuxCallOptions.Current;

    /// <summary>Sets deadline and extras of a call, and the key of its options.</summary>
    /// <param name="call">The call, which is about to start, with the key of its request.</param>
    /// <param name="route">The route of the call.</param>
    /// <param name="deadline">Default deadline of its method; see <see cref="DeadlineOf"/>.</param>
    /// <param name="options">The result of <see cref="InForce"/>.</param>
    public static void Apply(OutgoingCall call, CallRoute route, long deadline, MuxCallOptions? options)
    {
        if (options?.Timeout is { } chosen) deadline = chosen == Timeout.InfiniteTimeSpan ? Clock.Never : (long)Math.Ceiling(chosen.TotalMicroseconds);
        if (route.InheritsDeadlines && options is not { InheritsDeadline: false }) deadline = Math.Min(deadline, AmbientCall.Left());
        if (deadline != Clock.Never) call.SetDeadline(route.Clock.Now, Math.Max(0, deadline));
        if (options?.Key is { } key && route.UsesKeys && !call.Called.IsOrdered) call.Key = KeyHash.Of(key);
        var (activity, trace) = Tracing.IsUsed ? Trace(call, route) : default;
        ApplyExtras(call, options, activity, trace);
    }

    /// <summary>
    /// Sets the extras of a call that goes to many peers. It has no span of its own, so what handlers do belongs to the activity that is current here. It keeps
    /// no deadline of a handler either: what is told to many has nothing to do with how long one caller waits.
    /// </summary>
    public static void ApplyToMany(OutgoingCall call, MuxCallOptions? options) =>
        ApplyExtras(call, options, activity: null, Tracing.IsUsed ? Tracing.ContextOf(null) : null);

    private static void ApplyExtras(OutgoingCall call, MuxCallOptions? options, Activity? activity, TraceContext? trace)
    {
        var wire = options is null ? call.Options : WireOptionsOf(call, options);
        if (trace is not null) wire |= RequestOptions.Trace;
        if (AmbientCall.IsRetry) wire |= RequestOptions.Retry; // so that the calls of its handler are not repeated either
        if (wire == call.Options && options?.Metadata is null && options?.ResponseMetadata is null && activity is null) return;
        call.Extras = new CallExtras
        {
            Options = wire,
            Trace = trace ?? default,
            Activity = activity,
            Metadata = options?.Metadata is { Count: > 0 } metadata ? metadata.Copy() : null,
            ResponseMetadata = options?.ResponseMetadata,
        };
    }

    /// <summary>Decides whether the request of a call is kept.</summary>
    /// <param name="policy">What its method says.</param>
    /// <param name="options">The result of <see cref="InForce"/>.</param>
    public static KeepFor Keep(KeepFor policy, MuxCallOptions? options)
    {
        // A retry of a retry: three services in a row that try three times would make 27 calls of one.
        if (policy != KeepFor.Nothing && (options is { Retries: false } || AmbientCall.IsRetry)) policy = KeepFor.Nothing;
        return options is { WaitForReady: true } ? policy | KeepFor.Ready : policy;
    }

    /// <summary>
    /// Adds to the reasons for which a request is kept that servers may have no memory for it. For calls that keep no order: sent again, one would come after
    /// later ones. A call of another one that is sent again does not multiply by it either: none of its attempts runs.
    /// </summary>
    /// <param name="keeps">The other reasons.</param>
    /// <param name="route">The route of the call.</param>
    /// <param name="length">Length of the request. A copy of a small one would cost every call more than it saves a few.</param>
    /// <param name="options">The result of <see cref="InForce"/>.</param>
    public static KeepFor KeepLarge(KeepFor keeps, CallRoute route, int length, MuxCallOptions? options) =>
        length > ProtocolConstants.MaxWholeBody && route.Pauses && options is not { Retries: false } ? keeps | KeepFor.Pauses : keeps;

    private static RequestOptions WireOptionsOf(OutgoingCall call, MuxCallOptions options)
    {
        var wire = (call.Options & ~RequestOptions.PriorityMask) | (RequestOptions)(options.Priority ?? call.Method.Choices.Priority);
        if (options.Idempotent is { } idempotent) wire = idempotent ? wire | RequestOptions.Idempotent : wire & ~RequestOptions.Idempotent;
        return wire;
    }

    private static (Activity? Activity, TraceContext? Trace) Trace(OutgoingCall call, CallRoute route)
    {
        var activity = Tracing.StartCall(call.Method, route.ServerTags);
        return (activity, Tracing.ContextOf(activity));
    }
}
