using Mux.Protocol;
using Mux.Runtime;

namespace Mux.Engine;

/// <summary>What the peer has asked the calls of this side to wait for, for a time: a lease for all of them, a pause for those with large requests.</summary>
internal sealed class PeerPace(Session session, CallSlots slots, CallQueue waiting)
{
    /// <summary>Longest pause in milliseconds before a large request is tried, whatever the peer asks for.</summary>
    private const uint LongestPause = 1_000;

    /// <summary>Microseconds after a refusal in which another one belongs to the same shortage.</summary>
    private const long SeriesGap = 2_000_000;

    private readonly CallLease _lease = new(slots);
    private long _pauseDue = Clock.Never; // under the lock, as all that follows
    private RefusedRequests? _refused; // the last series; an object of its own, because few connections see one

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
    public void OnPause(CallFailure refusal)
    {
        lock (session.Gate)
        {
            long now = session.Clock.Now;
            if (!IsShortLocked(now)) _refused = new RefusedRequests();
            _refused!.Add(now, refusal.Text);
            if (waiting.HoldsLarge) return;
            waiting.HoldsLarge = true;
            uint milliseconds = Math.Min(refusal.RetryAfterMilliseconds, LongestPause);
            _pauseDue = Clock.After(now, milliseconds * Clock.MicrosecondsPerMillisecond);
            session.RequestTickLocked(_pauseDue);
        }
    }

    /// <summary>Adds to a failure of calls that were not sent what those with large requests have to know.</summary>
    public CallFailure ExplainLocked(CallFailure failure)
    {
        session.AssertLocked();
        return IsShortLocked(session.Clock.Now) ? failure with { NoteForLarge = _refused!.Note } : failure;
    }

    /// <summary>True if the peer lacks memory, or did so a moment ago.</summary>
    private bool IsShortLocked(long now)
    {
        session.AssertLocked();
        return _refused is { } refused && (waiting.HoldsLarge || now - refused.Last <= SeriesGap);
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

/// <summary>Large requests that the peer had no memory for, each soon after the one before.</summary>
internal sealed class RefusedRequests
{
    private long _first; // time of the first refusal
    private int _count;
    private string _reason = string.Empty;
    private string? _note; // made once for all calls that fail until the next refusal

    /// <summary>Time of the last refusal.</summary>
    public long Last { get; private set; }

    /// <summary>Tells callers of large requests.</summary>
    public string Note
    {
        get
        {
            if (_note is not null) return _note;
            long time = (Last - _first) / Clock.MicrosecondsPerMillisecond;
            var requests = _count == 1 ? "one, with" : $"{_count} within {time} ms, the last one with";
            return _note = $" The request is large, and the server has just refused such requests: {requests}: {_reason} {CallFailure.AdviceForLarge}";
        }
    }

    /// <summary>Counts a refusal.</summary>
    /// <param name="now">The current time.</param>
    /// <param name="reason">What the peer said.</param>
    public void Add(long now, string reason)
    {
        if (_count++ == 0) _first = now;
        (Last, _reason, _note) = (now, reason, null);
    }
}

/// <summary>How many calls the last LEASE of the peer allows, and until when (PROTOCOL.md section 3.6). Guarded by the connection's lock.</summary>
internal sealed class CallLease(CallSlots slots)
{
    /// <summary>Time at which the lease is over; <see cref="Clock.Never"/> while it limits nothing.</summary>
    public long Due { get; private set; } = Clock.Never;

    /// <summary>Replaces the lease.</summary>
    public void Replace(in LeaseFrame lease, long now)
    {
        // A peer that wants no calls is about to stop, and serves those that come. Whether there are other servers for them, the owner knows.
        bool isLimit = lease.LifetimeMilliseconds > 0 && lease.MaxOpenCalls > 0 && lease.MaxOpenCalls < slots.Limit;
        Due = isLimit ? Clock.After(now, lease.LifetimeMilliseconds * Clock.MicrosecondsPerMillisecond) : Clock.Never;
        slots.SetLeaseLocked(isLimit ? (int)lease.MaxOpenCalls : int.MaxValue);
    }

    /// <summary>Ends the lease if its time is over: a peer that has fallen silent must not hold calls back for ever.</summary>
    public void Expire(long now)
    {
        if (Due > now) return;
        Due = Clock.Never;
        slots.SetLeaseLocked(int.MaxValue);
    }
}
