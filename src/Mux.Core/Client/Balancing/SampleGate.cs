namespace Mux.Client;

/// <summary>
/// Lets one call per connection and 10 ms be timed. A field of the connection's state, not copied. Safe for concurrent use: a call that is not timed costs a
/// comparison.
/// </summary>
internal struct SampleGate
{
    /// <summary>Microseconds between two timed calls of a connection.</summary>
    public const long Interval = 10_000;

    private long _nextAt;

    /// <summary>True if the next call should be timed.</summary>
    public readonly bool IsDue(long now) => now >= _nextAt;

    /// <summary>Takes the right to time a call. False if another thread was faster.</summary>
    public bool TryPass(long now)
    {
        long next = Volatile.Read(ref _nextAt);
        return now >= next && Interlocked.CompareExchange(ref _nextAt, now + Interval, next) == next;
    }
}
