using Mux.Sessions.Budgets;
using Mux.Sessions.Calls;

namespace Mux.Sessions;

/// <summary>Counts the accepted requests of the peer and their answers.</summary>
internal sealed class RequestCounters : ICountsRequests
{
    /// <summary>Requests accepted. Written by the turn.</summary>
    public long Started { get; private set; }

    /// <summary>Answers made in the turn.</summary>
    public CallTally TurnTally { get; } = new();

    /// <summary>Answers made elsewhere, under the connection's lock.</summary>
    public CallTally LockedTally { get; } = new();

    /// <summary>Number of requests not answered yet. Any thread; never too low, because the answers are read first.</summary>
    public int OpenCount
    {
        get
        {
            long answered = TurnTally.Total + LockedTally.Total;
            return (int)(Started - answered);
        }
    }

    /// <summary>Counts an accepted request, which is answered exactly once. In the turn, before anything else is done with it.</summary>
    public void CountStarted() => Started++;
}
