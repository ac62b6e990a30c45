using Mux.Sessions.Budgets;
using Mux.Sessions.Calls;

namespace Mux.Sessions;

/// <summary>How many requests of the peer were accepted, and how they were answered.</summary>
internal sealed class RequestCounters : ICountsRequests
{
    /// <summary>Requests accepted. Written by the turn.</summary>
    public long Started { get; private set; }

    /// <summary>Answers made in the turn.</summary>
    public CallTally TurnTally { get; } = new();

    /// <summary>Answers made elsewhere, under the connection's lock.</summary>
    public CallTally LockedTally { get; } = new();

    /// <summary>Requests not answered yet; may be read from any thread, and is never too low: what is answered is read first.</summary>
    public int OpenCount
    {
        get
        {
            long answered = TurnTally.Total + LockedTally.Total;
            return (int)(Started - answered);
        }
    }

    /// <summary>A request was accepted, which is answered exactly once. In the turn, before anything else is done with it.</summary>
    public void CountStarted() => Started++;
}
