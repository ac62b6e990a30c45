using Mux.Timing;

namespace Mux.Sessions.Incoming;

/// <summary>A request that waits until it may run.</summary>
/// <param name="Call">The call, which is in no turn.</param>
/// <param name="Body">The array of the request.</param>
/// <param name="Length">Length of the request in bytes.</param>
/// <param name="Charge">Bytes taken of the server's memory for it.</param>
/// <param name="Arrived">Time at which it was parked.</param>
internal readonly record struct ParkedRequest(InboundCall Call, byte[] Body, int Length, long Charge, long Arrived)
{
    /// <summary>
    /// Time from which it does not wait for a place: half of its time is gone. Begun later, requests of a server that is
    /// a little overloaded would expire while they run, so that nearly none succeeds. Their callers use the other half
    /// elsewhere.
    /// </summary>
    public long HalfTime => Call.Due == Clock.Never ? Clock.Never : Arrived + ((Call.Due - Arrived) / 2);

    /// <summary>True if it has waited for a place until its half time.</summary>
    /// <param name="now">The current time.</param>
    /// <param name="lackedAt">Time until which there was no place.</param>
    public bool IsLate(long now, long lackedAt) => Arrived <= lackedAt && HalfTime <= now;
}
