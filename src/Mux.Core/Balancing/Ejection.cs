namespace Mux.Balancing;

/// <summary>
/// Whether an endpoint is left out, and until when. After that time one call probes it; if that does not fail, it returns. Written under the router's lock,
/// except for the probe, which any thread may take.
/// </summary>
internal sealed class Ejection
{
    /// <summary>Microseconds of the first ejection. Each further one lasts twice as long.</summary>
    public const long Shortest = 5_000_000;

    /// <summary>Microseconds of the longest ejection.</summary>
    public const long Longest = 300_000_000;

    /// <summary>Microseconds after which another call may probe, if the first has not ended: it may be a stream.</summary>
    public const long ProbeTime = Shortest;

    private const int Serves = 0, Out = 1, Probes = 2, Probed = 3;

    private int _state;
    private long _lasts;
    private long _returnedAt;
    private long _probedAt;
    private long _completedBefore;

    /// <summary>True while it is left out or probed.</summary>
    public bool IsOut => Volatile.Read(ref _state) != Serves;

    /// <summary>True while no call probes it yet.</summary>
    public bool IsEjected => Volatile.Read(ref _state) == Out;

    /// <summary>True while one call may go there, or is there.</summary>
    public bool IsProbing => Volatile.Read(ref _state) is Probes or Probed;

    /// <summary>Time at which it may be probed.</summary>
    public long Until { get; private set; }

    /// <summary>Number of ejections shortly after each other.</summary>
    public int Times { get; private set; }

    /// <summary>Why it was left out last. Meaningful once it was.</summary>
    public EjectionCause Cause { get; private set; }

    /// <summary>Leaves it out.</summary>
    public void Begin(EjectionCause cause, long now)
    {
        if (!IsOut && now - _returnedAt >= _lasts) Times = 0; // it has served for as long as it was last left out
        _lasts = Times >= 6 ? Longest : Math.Min(Shortest << Times, Longest);
        Times++;
        Until = now + _lasts;
        Cause = cause;
        Volatile.Write(ref _state, Out);
    }

    /// <summary>A connection has opened.</summary>
    public void OnOpened(long completed)
    {
        if (IsEjected && Cause == EjectionCause.FailedConnections) BeginProbing(completed);
    }

    /// <summary>Takes the right to probe. Called by any thread.</summary>
    public bool TryProbe(long now)
    {
        if (Volatile.Read(ref _state) != Probes) return false;
        Volatile.Write(ref _probedAt, now); // threads that compete for the probe write about the same
        return Interlocked.CompareExchange(ref _state, Probed, Probes) == Probes;
    }

    /// <summary>
    /// Moves on with time, and with the outcome of the probe: the first call that ends is no fault, or it would have been ejected again. That call may be an
    /// older one, or one that was sent there because ejections were void.
    /// </summary>
    /// <returns>True if it has changed.</returns>
    public bool Advance(long completed, long now)
    {
        switch (Volatile.Read(ref _state))
        {
            case Probes or Probed when completed > _completedBefore:
                _returnedAt = now;
                Volatile.Write(ref _state, Serves);
                return true;
            case Out when now >= Until:
            case Probed when now - Volatile.Read(ref _probedAt) >= ProbeTime:
                BeginProbing(completed);
                return true;
            default:
                return false;
        }
    }

    private void BeginProbing(long completed)
    {
        _completedBefore = completed;
        Volatile.Write(ref _state, Probes);
    }
}
