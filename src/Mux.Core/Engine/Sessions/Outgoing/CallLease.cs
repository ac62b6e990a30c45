using Mux.Protocol;
using Mux.Runtime;

namespace Mux.Engine;

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
