using Mux.Runtime;

namespace Mux.Client;

/// <summary>Counts the dials of a pool, and says if one more may begin. Guarded by the pool's lock, except <see cref="MayDial"/>.</summary>
internal sealed class DialPermits(BackoffPolicy backoff, PausedDials paused)
{
    private volatile bool _mayDial = true; // written under the lock

    /// <summary>True if one more may be dialed. Any thread.</summary>
    public bool MayDial => _mayDial;

    /// <summary>Connections that are dialed, or wait to be.</summary>
    public int Unopened { get; private set; }

    /// <summary>Dials that have failed.</summary>
    public long Failed { get; private set; }

    /// <summary>Connections on trial that opened and did not last.</summary>
    public long FailedTrials { get; private set; }

    /// <summary>A connection is made, and is dialed next.</summary>
    public void OnMade()
    {
        Unopened++;
        Update();
    }

    /// <summary>A connection has opened, or never will.</summary>
    public void OnSettled()
    {
        Unopened--;
        Update();
    }

    /// <summary>A connection ended before it was open.</summary>
    public void OnFailed() => Failed++;

    /// <summary>A connection that was one more than needed has opened and ended.</summary>
    public void OnFailedTrial() => FailedTrials++;

    /// <summary>Applies the server's hint of when it may be dialed again, to all connections, including those already created.</summary>
    /// <returns>Microseconds until then; null if there is no hint.</returns>
    public long? Hold(long now, uint retryAfterMilliseconds)
    {
        if (retryAfterMilliseconds == 0) return null;
        long wait = backoff.OnRetryAfter(now, retryAfterMilliseconds * Clock.MicrosecondsPerMillisecond);
        paused.Postpone(backoff.NextDialAt);
        Update();
        return wait;
    }

    /// <summary>The back-off has changed.</summary>
    public void Update() => _mayDial = Unopened < backoff.Dials;
}
