using Mux.Engine;

namespace Mux.Client;

/// <summary>A pool as its watch sees it. Safe for concurrent use.</summary>
internal interface IWatchedPool
{
    /// <summary>Adds the connections that it has now, open or not.</summary>
    /// <returns>Number of connections that it should have.</returns>
    int List(List<Connection> connections);

    /// <summary>
    /// Number of connections that are dialed or wait to be, of dials that have failed, and of further connections that opened and did not last.
    /// </summary>
    (int Unopened, long FailedDials, long FailedTrials) CountDials();

    /// <summary>Dials one connection more than there are. On a thread that may block.</summary>
    /// <returns>False if it could not, and has the connections that it had: another dial is under way, or it is disposed.</returns>
    bool Grow(GrowthReason reason);

    /// <summary>Has one connection less from now on, which ends when its calls have ended. On a thread that may block.</summary>
    void Shrink();
}
