using Mux.Diagnostics;
using Mux.Execution;
using Mux.Sessions.Calls;

namespace Mux.Calls;

/// <summary>
/// Who listens to the meters and spans of the calls that are made here. Their code is the user's: it may block, and what it throws is dropped.
/// </summary>
internal static class CallObservers
{
    /// <summary>The call has its outcome, which its caller does not know yet. In user code, if a turn runs.</summary>
    /// <param name="route">Carries the call.</param>
    /// <param name="call">The call.</param>
    /// <param name="measuredFrom">When it was started, or 0 if nobody measures.</param>
    /// <param name="status">Of the outcome.</param>
    /// <param name="inTurn">Whether a frame of the peer said so and its turn is running.</param>
    /// <returns>Whether it still is this thread's turn.</returns>
    public static bool Tell(CallRoute route, OutgoingCall call, long measuredFrom, MuxStatus status, bool inTurn)
    {
        var activity = call.Extras?.Activity;
        if (measuredFrom == 0 && activity is null) return inTurn;
        var turn = inTurn ? Turn.Current : null;
        turn?.EnterUser(null);
        route.Durations.Record(measuredFrom, call.Method.FullName, status);
        if (activity is not null) Tracing.End(activity, status);
        return turn is null ? inTurn : turn.TryLeaveUser();
    }
}
