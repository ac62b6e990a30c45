using Mux.Runtime;

namespace Mux.Client;

/// <summary>
/// When to ask a source again after its set has become smaller: a server that restarts is missing for seconds, and is
/// to have its share soon after its return, where polls come every 15 s. The pause grows with the time since the loss,
/// to an eighth of it: a server that was away for T is found T/8 after its return, at least a second, and a loss that
/// is for good costs about thirty questions in two minutes. Pure: sizes and times come in. Not safe for concurrent use.
/// </summary>
/// <remarks>
/// By the size, not by the addresses: one pod that replaces another has a new address, and nothing is missing then.
/// </remarks>
/// <param name="random">
/// Makes a pause up to a quarter longer: many clients may have seen the loss at one instant.
/// </param>
internal sealed class ReturnWatch(Random random)
{
    private const long LeastPause = 1_000_000; // microseconds: EndpointRefresh asks no more often
    private const int PartOfAbsence = 8;
    private const double Jitter = 0.25;

    /// <summary>Microseconds after which the pause would be that between polls, 15 s.</summary>
    private const long Longest = 15 * PartOfAbsence * 1_000_000L;

    private int _size; // of the last set
    private int _expected; // of a set that has what is missing
    private long _lostAt = Clock.Never; // of the last loss; never if nothing is missing

    /// <summary>Notes a set of the source.</summary>
    /// <param name="size">Its endpoints.</param>
    /// <param name="now">Microseconds of a <see cref="Clock"/>.</param>
    public void OnSet(int size, long now)
    {
        if (_lostAt != Clock.Never && now - _lostAt >= Longest) End(_size);
        if (size >= _expected) End(size);
        else if (size < _size) _lostAt = now;
        _size = size;
    }

    /// <summary>How long to wait for the source before it is asked.</summary>
    /// <param name="now">Microseconds of a <see cref="Clock"/>.</param>
    /// <returns>Microseconds; <see cref="Clock.Never"/> if it need not be asked.</returns>
    public long PauseAt(long now)
    {
        if (_lostAt == Clock.Never) return Clock.Never;
        long absence = now - _lostAt;
        if (absence >= Longest) return Clock.Never;
        return (long)(Math.Max(LeastPause, absence / PartOfAbsence) * (1 + (Jitter * random.NextDouble())));
    }

    private void End(int expected) => (_expected, _lostAt) = (expected, Clock.Never);
}
