using Mux.Sessions.Budgets;
using Mux.Sessions.Calls;

namespace Mux.Sessions;

/// <summary>Counts the accepted requests of the peer and their answers.</summary>
internal sealed class RequestCounters : ICountsRequests
{
    private long _paused; // since the start, like the next field
    private long _resumed;

    /// <summary>Requests accepted. Written by the turn.</summary>
    public long Started { get; private set; }

    /// <summary>Answers made in the turn.</summary>
    public CallTally TurnTally { get; } = new();

    /// <summary>Answers made elsewhere, under the connection's lock.</summary>
    public CallTally LockedTally { get; } = new();

    /// <summary>Requests that are answered by subscriptions to topics: they need no place.</summary>
    public OpenSubscriptions Subscriptions { get; } = new();

    /// <summary>Number of requests not answered yet. Any thread; never too low, because the answers are read first.</summary>
    public int OpenCount
    {
        get
        {
            long answered = TurnTally.Total + LockedTally.Total;
            return (int)(Started - answered);
        }
    }

    /// <summary>
    /// Number of requests that need a place of the server's handlers: they are not answered, wait neither for their rest nor until they may run, and are no
    /// subscriptions. Any thread; too low for a moment by subscriptions that end meanwhile.
    /// </summary>
    public int RunningCount
    {
        get
        {
            long paused = Volatile.Read(ref _paused);
            int subscriptions = Subscriptions.RunningCount;
            int open = OpenCount;
            return open - subscriptions - (int)(paused - Volatile.Read(ref _resumed));
        }
    }

    /// <summary>Counts a request that waits for its rest, or until it may run. Any thread.</summary>
    public void CountPaused() => Interlocked.Increment(ref _paused);

    /// <summary>Counts a request that waits no longer: it starts, or is answered next. Any thread.</summary>
    public void CountResumed() => Interlocked.Increment(ref _resumed);

    /// <summary>Counts an accepted request, which is answered exactly once. In the turn, before anything else is done with it.</summary>
    public void CountStarted() => Started++;
}
