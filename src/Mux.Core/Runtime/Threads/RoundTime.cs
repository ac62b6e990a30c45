namespace Mux.Runtime;

/// <summary>
/// Measures how long a thread that serves many hosts takes for one round, from waiting for input to waiting again: input that comes during a round waits for
/// its end. The thread pays for two stores in each round; the monitor does the rest.
/// </summary>
/// <remarks>Only <see cref="Look"/> and what it owns belong to the monitor.</remarks>
internal sealed class RoundTime
{
    private long _rounds;
    private long _rests;
    private bool _isResting;
    private long _seenRounds; // this and the next two are the monitor's
    private long _seenRests;
    private long _seenAt;

    /// <summary>There is input: a round begins.</summary>
    public void Begin()
    {
        Volatile.Write(ref _isResting, false);
        Volatile.Write(ref _rounds, _rounds + 1);
    }

    /// <summary>There is no input: nothing waits for the thread.</summary>
    public void Rest()
    {
        Volatile.Write(ref _rests, _rests + 1);
        Volatile.Write(ref _isResting, true);
    }

    /// <summary>Takes a look.</summary>
    /// <param name="now">The current time, in microseconds.</param>
    /// <returns>
    /// Microseconds of a round since the last look, or of the one that has begun and not ended; 0 if nothing waited in between; null if there was no round.
    /// </returns>
    public long? Look(long now)
    {
        bool isResting = Volatile.Read(ref _isResting);
        long rounds = Volatile.Read(ref _rounds), rests = Volatile.Read(ref _rests);
        long begun = rounds - _seenRounds;
        if (rounds == 0 || (begun == 0 && isResting)) return null;
        bool hasRested = rests != _seenRests;
        long since = now - _seenAt;
        if (begun > 0) (_seenRounds, _seenAt) = (rounds, now);
        _seenRests = rests;
        return hasRested || isResting ? 0 : since / Math.Max(1, begun);
    }
}
