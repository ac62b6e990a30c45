using Microsoft.Extensions.Logging;
using Mux.Contracts;
using Mux.Engine;
using Mux.Runtime;
using Mux.Services;
using Mux.Telemetry;

namespace Mux.Calls;

/// <summary>State that all handlers of a server share.</summary>
/// <param name="Dispatch">Where handlers run if their contract does not say.</param>
/// <param name="Logger">Logs failures.</param>
/// <param name="Durations">Measures handlers.</param>
/// <param name="DetailedErrors">True if callers are told what handlers threw.</param>
internal sealed record HandlerEnvironment(MuxDispatchMode Dispatch, ILogger Logger, CallDurations Durations, bool DetailedErrors)
{
    /// <summary>True if handlers have a <see cref="MuxCallContext"/>.</summary>
    public bool HasCallContexts { get; init; }

    /// <summary>The filters of the server.</summary>
    public FilterBinding Filters { get; init; } = FilterBinding.None;

    /// <summary>What serves, in messages for callers: a server or a client.</summary>
    public string Side { get; init; } = "server";

    /// <summary>
    /// True if one-way methods whose contract says nothing of where they run are serial: those of a client, which are told what happened, in its order.
    /// </summary>
    public bool OneWayIsSerial { get; init; }

    /// <summary>The keys of calls that run one after the other.</summary>
    public KeyTable Keys { get; init; } = new();

    /// <summary>True if the handlers of a method run one after the other for each connection.</summary>
    public bool IsSerial(MethodDescriptor method) => method.Choices.Dispatch == MuxDispatchMode.Serial
        || (OneWayIsSerial && method.Choices.Dispatch == MuxDispatchMode.Default && (method.Shape & MethodShape.OneWay) != 0);

    /// <summary>True if handlers of a method run one after the other, for each connection or key.</summary>
    public bool KeepsOrder(MethodDescriptor method) => method.Choices.KeepsOrder || IsSerial(method);

    /// <summary>Limits how often refused work is logged.</summary>
    public RateLimit RefusalLog { get; } = new();

    /// <summary>Limits how often incomplete failures are logged.</summary>
    public RateLimit OmissionLog { get; } = new();

    /// <summary>Limits how often replies and items that are too large are logged.</summary>
    public RateLimit SizeLog { get; } = new();
}

/// <summary>
/// Tells once that code reads <see cref="MuxCallContext.Current"/> while handlers have no context. Without it, a handler takes every caller for anonymous, and
/// nothing shows why. Contexts are not given to all handlers, because each costs allocations. Safe for concurrent use.
/// </summary>
/// <param name="logger">Logs it. Never throws.</param>
/// <param name="side">What serves: a server or a client.</param>
internal sealed class MissedContext(ILogger logger, string side)
{
    private int _hasTold; // 0 or 1

    public void Watch() => MuxCallContext.Missed += Tell;

    public void End() => MuxCallContext.Missed -= Tell;

    private void Tell()
    {
        if (Interlocked.Exchange(ref _hasTold, 1) == 0) ServerLog.CallContextMissed(logger, side); // first: what enriches logs may read it again
    }
}

/// <summary>Disposes the scope of a call's service. Exceptions are only logged, because the call is already answered.</summary>
internal static class ServiceScope
{
    public static void End<TService>(in ServiceLease<TService> lease, HandlerFailures failures, Clock clock)
        where TService : class
    {
        if (lease.Scope is not { } scope) return;
        try
        {
            var disposing = scope.DisposeAsync();
            if (disposing.IsCompletedSuccessfully) disposing.GetAwaiter().GetResult();
            else _ = AwaitAsync(disposing, failures, clock);
        }
        catch (Exception error)
        {
            failures.OnScopeFailed(error, clock);
        }
    }

    private static async Task AwaitAsync(ValueTask disposing, HandlerFailures failures, Clock clock)
    {
        try
        {
            await disposing.ConfigureAwait(false);
        }
        catch (Exception error)
        {
            failures.OnScopeFailed(error, clock);
        }
    }
}
