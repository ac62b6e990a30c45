using System.Diagnostics;
using Mux.Contracts;
using Mux.Wire;

namespace Mux.Diagnostics;

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
    /// <summary>Name of the source that listeners subscribe to.</summary>
    public const string SourceName = "Mux";

    private static readonly ActivitySource s_source = new(SourceName);
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
    /// <returns>Null if there is no listener for it.</returns>
    public static Activity? StartCall(MethodDescriptor method, string endpoint)
    {
        var current = Activity.Current;
        var context = ExecutionContext.Capture();
        if (Start(method, ActivityKind.Client, default) is not { } activity) return null;
        MakeCurrent(current, context);
        Describe(activity, method, MetricNames.ServerAddressTag, endpoint);
        return activity;
    }

    /// <summary>Starts the span of a handler and makes it current.</summary>
    /// <param name="method">Method of the handler.</param>
    /// <param name="parent">Trace context of the call. If it is missing or its ids are invalid, a new trace starts here: the activity that is current on this
    /// thread is not part of the call.</param>
    /// <param name="peer">Address of the caller.</param>
    /// <returns>Null if there is no listener for it.</returns>
    public static Activity? StartHandler(MethodDescriptor method, TraceContext? parent, string peer)
    {
        ActivityContext context = default;
        if (parent is { IsValid: true } trace) context = ToContext(trace);
        else SetCurrent(null);
        var activity = Start(method, ActivityKind.Server, context);
        if (activity is not null) Describe(activity, method, "client.address", peer);
        return activity;
    }

    /// <summary>Detaches this thread from the span, which continues elsewhere.</summary>
    public static void Leave(Activity activity)
    {
        if (Activity.Current == activity) SetCurrent(activity.Parent);
    }

    /// <summary>Ends a span on any thread. The thread's current activity stays current unless it is the span.</summary>
    public static void End(Activity activity, MuxStatus status)
    {
        activity.SetTag(MetricNames.StatusTag, MetricNames.NameOf(status));
        if (status != MuxStatus.Ok) activity.SetStatus(ActivityStatusCode.Error);
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
    private static Activity? Start(MethodDescriptor method, ActivityKind kind, ActivityContext parent)
    {
        Activity? activity = null;
        try
        {
            activity = s_source.CreateActivity(method.FullName, kind, parent);
            activity?.Start();
        }
        catch (Exception)
        {
            // From a listener, which must not affect the call.
        }

        return activity;
    }

    private static ActivityContext ToContext(TraceContext trace)
    {
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

    private static void Describe(Activity activity, MethodDescriptor method, string addressTag, string address)
    {
        activity.SetTag(MetricNames.SystemTag, MetricNames.System);
        activity.SetTag(MetricNames.MethodTag, method.FullName);
        if (address.Length > 0) activity.SetTag(addressTag, address); // the other end of a Unix socket has none
    }

    private static void OnFirstCurrent(object? sender, ActivityChangedEventArgs change)
    {
        if (change.Current is null) return;
        s_isUsed = true;
        Activity.CurrentChanged -= OnFirstCurrent;
    }
}
