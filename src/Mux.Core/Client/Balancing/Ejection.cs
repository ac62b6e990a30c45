namespace Mux.Client;

/// <summary>
/// Whether an endpoint is left out, and until when. After that time one call probes it; if that does not fail, it returns. While it is closed nothing probes
/// it, for a dial that is refused says nothing about its calls; and once it opens it is probed at once, whatever the cause was: it is another process now, or
/// its network is back. Written under the router's lock, except for the probe, which any thread may take.
/// </summary>
/// <param name="shortest">Microseconds of the first ejection, and after which another call may probe if the first has not ended: it may be a stream.</param>
/// <param name="longest">Microseconds of the longest ejection. Each one lasts twice as long as the one before.</param>
internal sealed class Ejection(long shortest, long longest)
{
    private const int Serves = 0, Out = 1, Probes = 2, Probed = 3;
    private const int MostDoublings = 24; // from a tenth of a second to weeks, and no overflow

    private int _state;
    private long _lasts;
    private long _returnedAt;
    private long _probedAt;
    private long _completedBefore;
    private bool _isClosed;

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
        _lasts = Times >= MostDoublings ? longest : Math.Min(shortest << Times, longest);
        Times++;
        Until = now + _lasts;
        Cause = cause;
        Volatile.Write(ref _state, Out);
    }

    /// <summary>Its first connection has opened, or it serves.</summary>
    public void OnOpened(long completed)
    {
        bool wasClosed = _isClosed;
        _isClosed = false;
        if (wasClosed && IsOut) BeginProbing(completed);
    }

    /// <summary>None of its connections takes calls: a probe that is under way tells nothing any longer.</summary>
    public void OnClosed()
    {
        _isClosed = true;
        if (IsProbing) Volatile.Write(ref _state, Out);
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
            case Out when now >= Until && !_isClosed:
            case Probed when now - Volatile.Read(ref _probedAt) >= shortest:
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
