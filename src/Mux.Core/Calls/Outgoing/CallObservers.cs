using Mux.Engine;
using Mux.Runtime;
using Mux.Telemetry;

namespace Mux.Calls;

/// <summary>Reports outgoing calls to the listeners of meters and spans. Listeners are user code: they may block, and their exceptions are dropped.</summary>
internal static class CallObservers
{
    /// <summary>Reports the outcome of a call, before its caller learns of it. Runs as user code if in a turn.</summary>
    /// <param name="route">The route of the call.</param>
    /// <param name="call">The call.</param>
    /// <param name="measuredFrom">Time of its start, or 0 if durations are not measured.</param>
    /// <param name="status">Status of the outcome.</param>
    /// <param name="inTurn">True if a frame of the peer decided the outcome and its turn is running.</param>
    /// <returns>True if this thread still has the turn.</returns>
    public static bool Tell(CallRoute route, OutgoingCall call, long measuredFrom, MuxStatus status, bool inTurn)
    {
        var activity = call.Extras?.Activity;
        if (measuredFrom == 0 && activity is null) return inTurn;
        var turn = inTurn ? Turn.Current : null;
        turn?.EnterUser(ListenerPlacement.OfAnyMethod);
        route.Durations.Record(measuredFrom, call.Method.FullName, status, route.EndpointOf(call));
        if (activity is not null) Tracing.End(activity, status, call.Holder?.PeerAddress ?? string.Empty);
        return turn is null ? inTurn : turn.TryLeaveUser();
    }
}
