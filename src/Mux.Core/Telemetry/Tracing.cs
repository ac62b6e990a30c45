using System.Diagnostics;
using Mux.Contracts;
using Mux.Diagnostics;
using Mux.Protocol;

namespace Mux.Telemetry;

/// <summary>
/// The spans of calls, and the W3C trace context that calls carry in binary. Costs a look at two fields per call until there is a listener or an activity was
/// noticed, see <see cref="Watch"/>.
/// </summary>
/// <remarks>
/// Listeners are user code. They run between an outcome and the code that waits for it, on threads that carry other calls too. Their exceptions are dropped
/// here, because they must fail neither the call nor the connection. A caller in a turn must enter user code first, because a listener may also block.
/// </remarks>
internal static class Tracing
{
    private static readonly ActivitySource s_source = new(MuxTelemetry.Source, MuxTelemetry.Version);
    // True once an activity was noticed, which may be current where a call is made. Until then no call looks for one.
    private static volatile bool s_isUsed;

    static Tracing()
    {
        Activity.CurrentChanged += OnFirstCurrent;
        Watch();
    }

    /// <summary>True if a call may have a trace to carry.</summary>
    public static bool IsUsed => s_isUsed || s_source.HasListeners();

    /// <summary>True if handlers get spans.</summary>
    public static bool IsListenedTo => s_source.HasListeners();

    /// <summary>
    /// Called for every channel: notices the current activity. From the first call on, every activity that becomes current is noticed as well. An activity that
    /// began earlier and is current on another thread is not.
    /// </summary>
    public static void Watch() => s_isUsed |= Activity.Current is not null;

    /// <summary>Starts the span of an outgoing call without making it current.</summary>
    /// <param name="method">Method of the call.</param>
    /// <param name="server">Tags of the server's address: <see cref="AddressTags.Of"/>.</param>
    /// <returns>Null if there is no listener for it.</returns>
    public static Activity? StartCall(MethodDescriptor method, KeyValuePair<string, object?>[] server)
    {
        if (!s_source.HasListeners()) return null;
        var current = Activity.Current;
        var context = ExecutionContext.Capture();
        if (Start(method.FullName, ActivityKind.Client, default, [.. TagsOf(method.FullName), .. server]) is not { } activity) return null;
        MakeCurrent(current, context);
        return activity;
    }

    /// <summary>Starts the span of a handler and makes it current.</summary>
    /// <param name="method">Method of the handler.</param>
    /// <param name="parent">Trace context of the call; if it is missing or its ids are invalid, a new trace starts here.</param>
    /// <param name="peer">Address of the caller.</param>
    /// <returns>Null if there is no listener for it.</returns>
    public static Activity? StartHandler(MethodDescriptor method, TraceContext? parent, string peer)
    {
        return s_source.HasListeners() ? Start(method.FullName, ActivityKind.Server, ToContext(parent), [.. TagsOf(method.FullName), .. ToTags(peer)]) : null;
    }

    /// <summary>Makes the span of a call that reached no handler.</summary>
    /// <param name="method">Name of the method; null if no service has it.</param>
    /// <param name="original">The name that the caller gave, if <paramref name="method"/> is null and it is known.</param>
    /// <param name="parent">As for <see cref="StartHandler"/>.</param>
    /// <param name="peer">Address of the caller.</param>
    /// <param name="status">Status of the call.</param>
    public static void AddUnhandled(string? method, string? original, TraceContext? parent, string peer, MuxStatus status)
    {
        if (!s_source.HasListeners()) return;
        var tags = TagsOf(method ?? MetricNames.OtherMethod).Concat(ToTags(peer));
        if (method is null && original is not null) tags = tags.Append(new(MetricNames.OriginalMethodTag, original));
        // Names that peers make up would be as many names of spans: these have the system's.
        var activity = Start(method ?? MetricNames.System, ActivityKind.Server, ToContext(parent), [.. tags]);
        if (activity is not null) End(activity, status);
    }

    /// <summary>Detaches this thread from the span, which continues elsewhere.</summary>
    public static void Leave(Activity activity)
    {
        if (Activity.Current == activity) SetCurrent(activity.Parent);
    }

    /// <summary>Ends a span on any thread. The thread's current activity stays current unless it is the span.</summary>
    /// <param name="activity">The span.</param>
    /// <param name="status">Status of the call.</param>
    /// <param name="peer">Address of the peer, if it was not known when the span started.</param>
    public static void End(Activity activity, MuxStatus status, string peer = "")
    {
        var name = MetricNames.NameOf(status);
        activity.SetTag(MetricNames.StatusTag, name);
        if (CallErrors.IsError(activity.Kind, status)) activity.SetTag(MetricNames.ErrorTag, name).SetStatus(ActivityStatusCode.Error);
        foreach (var (key, value) in ToPeerTags(peer)) activity.SetTag(key, value);
        var current = Activity.Current;
        var context = ExecutionContext.Capture();
        try
        {
            activity.Stop(); // makes the activity current that was so when the span started
        }
        catch (Exception)
        {
            Leave(activity); // a listener threw before that
        }

        if (current != activity) MakeCurrent(current, context);
    }

    /// <summary>Gets the trace context for a request: the span of its call, or the current activity.</summary>
    /// <returns>Null if there is none, or its ids are not in the W3C format.</returns>
    public static TraceContext? ContextOf(Activity? activity)
    {
        activity ??= Activity.Current;
        if (activity is not { IdFormat: ActivityIdFormat.W3C }) return null;
        Span<byte> bytes = stackalloc byte[TraceContext.Length];
        activity.TraceId.CopyTo(bytes[..16]);
        activity.SpanId.CopyTo(bytes[16..24]);
        bytes[24] = (byte)activity.ActivityTraceFlags;
        return new TraceContext(bytes);
    }

    /// <returns>Null if there is no listener for it. The activity is current, and is also started for a listener that threw, which will see its end.</returns>
    private static Activity? Start(string name, ActivityKind kind, ActivityContext parent, KeyValuePair<string, object?>[] tags)
    {
        Activity? activity = null;
        try
        {
            activity = s_source.CreateActivity(name, kind, parent, tags); // samplers see the tags
            activity?.Start();
        }
        catch (Exception)
        {
            // From a listener, which must not affect the call.
        }

        return activity;
    }

    /// <summary>Gets the parent of a handler's span. If there is none, a new trace starts: what is current on this thread is not part of the call.</summary>
    private static ActivityContext ToContext(TraceContext? parent)
    {
        if (parent is not { IsValid: true } trace)
        {
            SetCurrent(null);
            return default;
        }

        Span<byte> bytes = stackalloc byte[TraceContext.Length];
        trace.Write(bytes);
        return new ActivityContext(
            ActivityTraceId.CreateFromBytes(bytes[..16]), ActivitySpanId.CreateFromBytes(bytes[16..24]), (ActivityTraceFlags)bytes[24], isRemote: true);
    }

    /// <summary>Makes an activity current again by restoring its context: after its end it cannot be set as current.</summary>
    private static void MakeCurrent(Activity? activity, ExecutionContext? context)
    {
        if (Activity.Current == activity) return;
        if (context is not null) ExecutionContext.Restore(context);
        else SetCurrent(activity); // the flow of contexts is suppressed
    }

    private static void SetCurrent(Activity? activity)
    {
        try
        {
            Activity.Current = activity;
        }
        catch (Exception)
        {
            // From a handler of CurrentChanged. The activity is current by then.
        }
    }

    private static KeyValuePair<string, object?>[] TagsOf(string method) =>
        [new(MetricNames.SystemTag, MetricNames.System), new(MetricNames.MethodTag, method)];

    /// <summary>Gets the tags of a caller.</summary>
    private static KeyValuePair<string, object?>[] ToTags(string caller)
    {
        var tags = ToPeerTags(caller);
        return tags.Length == 0 ? tags : [new(MetricNames.ClientAddressTag, tags[0].Value), .. tags];
    }

    /// <summary>Gets the tags of the other end of a connection; none if it has no address, like the client at a Unix domain socket.</summary>
    private static KeyValuePair<string, object?>[] ToPeerTags(string peer)
    {
        if (peer.Length == 0) return [];
        var address = new KeyValuePair<string, object?>(MetricNames.PeerAddressTag, AddressTags.SplitPeer(peer, out int? port));
        return port is { } known ? [address, new(MetricNames.PeerPortTag, known)] : [address];
    }

    private static void OnFirstCurrent(object? sender, ActivityChangedEventArgs change)
    {
        if (change.Current is null) return;
        s_isUsed = true;
        Activity.CurrentChanged -= OnFirstCurrent;
    }
}
