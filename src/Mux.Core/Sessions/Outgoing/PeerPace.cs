using Mux.Sessions.Calls;
using Mux.Timing;
using Mux.Wire;

namespace Mux.Sessions.Outgoing;

/// <summary>What the peer has asked the calls of this side to wait for, for a time: a lease for all of them, a pause for those with large requests.</summary>
internal sealed class PeerPace(Session session, CallSlots slots, CallQueue waiting)
{
    /// <summary>Longest pause in milliseconds before a large request is tried, whatever the peer asks for.</summary>
    private const uint LongestPause = 1_000;

    private readonly CallLease _lease = new(slots);
    private long _pauseDue = Clock.Never; // under the lock

    public long NextDueLocked => Math.Min(_lease.Due, _pauseDue);

    /// <summary>The peer said how many calls it takes. In the turn, whose end sends waiting calls that it takes now.</summary>
    public void OnLease(in LeaseFrame lease)
    {
        lock (session.Gate)
        {
            _lease.Replace(lease, session.Clock.Now);
            session.RequestTickLocked(_lease.Due);
        }
    }

    /// <summary>
    /// The peer had no memory for a large request (PROTOCOL.md section 5.1): others that are not announced yet would be sent in vain. Further refusals of those
    /// that were sent before do not make it longer. In the turn.
    /// </summary>
    public void OnPause(uint milliseconds)
    {
        lock (session.Gate)
        {
            if (waiting.HoldsLarge) return;
            waiting.HoldsLarge = true;
            _pauseDue = Clock.After(session.Clock.Now, Math.Min(milliseconds, LongestPause) * Clock.MicrosecondsPerMillisecond);
            session.RequestTickLocked(_pauseDue);
        }
    }

    /// <summary>Ends a lease, and a pause, whose time is over.</summary>
    public void ExpireLocked(long now)
    {
        session.AssertLocked();
        _lease.Expire(now);
        if (_pauseDue > now) return;
        _pauseDue = Clock.Never;
        waiting.HoldsLarge = false;
    }
}
