using Mux.Runtime;

namespace Mux.Engine;

/// <summary>A request that waits until it may run.</summary>
/// <param name="Call">The call, which is in no turn.</param>
/// <param name="Body">The array of the request.</param>
/// <param name="Length">Length of the request in bytes.</param>
/// <param name="Charge">Bytes taken of the server's memory for it.</param>
/// <param name="Arrived">Time at which it was parked.</param>
internal readonly record struct ParkedRequest(InboundCall Call, byte[] Body, int Length, long Charge, long Arrived)
{
    /// <summary>True if the request has waited for a place for half of the time that it had when that wait began.</summary>
    /// <param name="now">The current time.</param>
    /// <param name="lackSince">As for <see cref="HalfTime"/>.</param>
    public bool IsLate(long now, long lackSince) => HalfTime(lackSince) <= now;

    /// <summary>
    /// Time from which it does not wait for a place: half of the time is gone that it had when it began to wait for one.
    /// Begun later, requests of a server that is a little overloaded would expire while they run, so that nearly none
    /// succeeds. Their callers use the other half elsewhere.
    /// </summary>
    /// <param name="lackSince">Time since which parked requests wait for places; <see cref="Clock.Never"/> if they do not.</param>
    public long HalfTime(long lackSince)
    {
        if (Call.Due == Clock.Never || lackSince == Clock.Never) return Clock.Never;
        long from = WaitsFrom(lackSince);
        return from + ((Call.Due - from) / 2);
    }

    /// <summary>Time since which it waits for a place.</summary>
    /// <param name="lackSince">As for <see cref="HalfTime"/>.</param>
    public long WaitsFrom(long lackSince) => Math.Max(Arrived, lackSince);
}
