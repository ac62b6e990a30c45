using Mux.Lanes;
using Mux.Sessions.Calls;

namespace Mux.Sessions.Outgoing;

/// <summary>
/// Takes the waiting calls that may be sent now, one after the other. They leave in order, with one exception: while a large request must wait until others
/// have been sent whole, or a stream for its windows, small calls go before it. Without that, a caller of a small method would wait for the uploads of others.
/// </summary>
/// <remarks>Guarded by the connection's lock. The caller asks before each call whether the connection has a slot and room.</remarks>
internal ref struct SendableCalls(CallQueue waiting, OutboundQueue outbound, StreamRoom streams)
{
    /// <summary>Calls that one search for small ones passes over: some microseconds with the lock held.</summary>
    private const int MostPassedOver = 64;

    private OutgoingCall? _next = waiting.First;
    private int _passedOver;

    /// <summary>True if a call that is just made may be sent before those that wait.</summary>
    public static bool MayPass(OutgoingCall call, CallQueue waiting, OutboundQueue outbound, StreamRoom streams) =>
        MaySend(call, waiting, outbound, streams) && (waiting.Count == 0 || (waiting.Count == waiting.PassableCount && MayOvertake(call, streams)));

    /// <summary>Removes the next one from the queue; null if no more may be sent.</summary>
    public OutgoingCall? TryTake()
    {
        while (_next is { } call)
        {
            if (_passedOver == 0 ? MaySend(call, waiting, outbound, streams) : MayOvertake(call, streams))
            {
                _next = call.Next;
                waiting.Remove(call);
                return call;
            }

            // With nothing but such calls behind it, none may go before the first.
            if (waiting.Count == (call.Bulk is null ? waiting.PassableCount : waiting.BulkCount) || ++_passedOver > MostPassedOver) break;
            _next = call.Next;
        }

        _next = null;
        return null;
    }

    /// <summary>
    /// True unless its large request must wait, for others that are not sent whole or for memory of the peer; or its streams for windows. Bound calls never
    /// wait.
    /// </summary>
    private static bool MaySend(OutgoingCall call, CallQueue waiting, OutboundQueue outbound, StreamRoom streams) => !streams.IsAwaitedLocked(call)
        && (call.Bulk is null || call.Bound is not null || (!waiting.HoldsLarge && outbound.BulkLocked.MayAnnounce(call.Bulk.Left)));

    /// <summary>True for a small call that keeps no order. A large one would go before a larger one again and again.</summary>
    private static bool MayOvertake(OutgoingCall call, StreamRoom streams) =>
        call.Bulk is null && !call.KeepsOrder && !streams.IsAwaitedLocked(call);
}
