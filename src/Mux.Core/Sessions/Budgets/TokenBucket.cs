namespace Mux.Sessions.Budgets;

/// <summary>
/// So many at once, and so many more in ten seconds: tokens that come back evenly with time, and by what is earned. One comparison for each that is taken, and
/// one multiplication for each batch. One thread at a time.
/// </summary>
internal sealed class TokenBucket
{
    /// <summary>In which a whole bucket comes back, microseconds.</summary>
    public const long RefillTime = 10_000_000;

    private readonly long _capacity;
    private long _tokens;
    private long _refilledAt = long.MinValue;

    public TokenBucket(long capacity) => _tokens = _capacity = capacity;

    /// <summary>Whether it never runs out.</summary>
    public bool IsUnbounded => _capacity == BudgetLimits.Unbounded;

    /// <summary>Takes tokens if there are enough.</summary>
    public bool TryTake(long now, long count = 1)
    {
        if (now != _refilledAt) Refill(now);
        if (_tokens < count) return false;
        _tokens -= count;
        return true;
    }

    /// <summary>Gives tokens back, as many as there is room for.</summary>
    public void Earn(long count) => _tokens = count >= _capacity - _tokens ? _capacity : _tokens + count;

    private void Refill(long now)
    {
        if (IsUnbounded || _refilledAt == long.MinValue || now - _refilledAt >= RefillTime)
        {
            _tokens = _capacity;
            _refilledAt = now;
            return;
        }

        long back = (long)((double)(now - _refilledAt) * _capacity / RefillTime);
        if (back == 0) return; // the time of less than one token is not lost
        Earn(back);
        _refilledAt = now;
    }
}
