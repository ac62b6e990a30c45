using System.Diagnostics;
using Mux.Contracts;
using Mux.Wire;

namespace Mux.Diagnostics;

/// <summary>
/// The spans of calls, and the W3C trace context that calls carry in binary. Costs a look at two fields per call while nobody listens and no activity was
/// noticed, see <see cref="Watch"/>.
/// </summary>
/// <remarks>
/// Listeners are user code. They run between an outcome and whoever waits for it, on threads that carry other calls too: what one throws is dropped here,
/// because it must cost neither the call nor the connection, and the listener is the one that is to know. Whoever calls this in a turn enters user code before,
/// since a listener may block as well.
/// </remarks>
internal static class Tracing
{
    /// <summary>What a listener asks for.</summary>
    public const string SourceName = "Mux";

    private static readonly ActivitySource s_source = new(SourceName);
    private static volatile bool s_isUsed; // whether an activity was noticed, and may be current where a call is made: until then no call looks for one

    static Tracing()
    {
        Activity.CurrentChanged += OnFirstCurrent;
        Watch();
    }

    /// <summary>Whether a call that is made may have a trace to carry.</summary>
    public static bool IsUsed => s_isUsed || s_source.HasListeners();

    /// <summary>Whether handlers get spans.</summary>
    public static bool IsListenedTo => s_source.HasListeners();

    /// <summary>
    /// Called for every channel: from the first on, any activity that becomes current is noticed, and for each the one that is current already. Of one that
    /// began before and is current elsewhere nobody tells.
    /// </summary>
    public static void Watch() => s_isUsed |= Activity.Current is not null;

    /// <summary>Begins the span of a call that is made, which does not become the caller's current one.</summary>
    /// <returns>Null if nobody wants it.</returns>
    public static Activity? StartCall(MethodDescriptor method, string endpoint)
    {
        var current = Activity.Current;
        var context = ExecutionContext.Capture();
        if (Start(method, ActivityKind.Client, default) is not { } activity) return null;
        MakeCurrent(current, context);
        Describe(activity, method, MetricNames.ServerAddressTag, endpoint);
        return activity;
    }

    /// <summary>Begins the span of a handler, and makes it current.</summary>
    /// <param name="method">Of the handler.</param>
    /// <param name="parent">What came with the call. Without it, or if its ids are none, a trace begins here, whatever is current on this thread: that is no
    /// part of the call.</param>
    /// <param name="peer">Where it came from.</param>
    /// <returns>Null if nobody wants it.</returns>
    public static Activity? StartHandler(MethodDescriptor method, TraceContext? parent, string peer)
    {
        ActivityContext context = default;
        if (parent is { IsValid: true } trace) context = ToContext(trace);
        else SetCurrent(null);
        var activity = Start(method, ActivityKind.Server, context);
        if (activity is not null) Describe(activity, method, "client.address", peer);
        return activity;
    }

    /// <summary>What this thread does from now on is not of the span, which goes on elsewhere.</summary>
    public static void Leave(Activity activity)
    {
        if (Activity.Current == activity) SetCurrent(activity.Parent);
    }

    /// <summary>Ends a span, on whatever thread learns of the end: unless the span is current there, what is current stays so.</summary>
    public static void End(Activity activity, MuxStatus status)
    {
        activity.SetTag(MetricNames.StatusTag, MetricNames.NameOf(status));
        if (status != MuxStatus.Ok) activity.SetStatus(ActivityStatusCode.Error);
        var current = Activity.Current;
        var context = ExecutionContext.Capture();
        try
        {
            activity.Stop(); // which makes current what was so when it began
        }
        catch (Exception)
        {
            Leave(activity); // a listener threw before that
        }

        if (current != activity) MakeCurrent(current, context);
    }

    /// <summary>What a request is to carry: the span of its call, or what is current.</summary>
    /// <returns>Null if there is nothing, or it has ids of another format than W3C.</returns>
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

    /// <returns>Null if nobody wants it. It is current, and begun also for the listener that threw, which hears of its end.</returns>
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
            // Of a listener, which has no part in the call.
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

    /// <summary>Makes an activity current again, by the context in which it was so: by itself it cannot be, once it has ended.</summary>
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
            // Of a handler of CurrentChanged. The activity is current by then.
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
