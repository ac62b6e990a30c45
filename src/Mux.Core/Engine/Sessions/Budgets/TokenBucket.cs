namespace Mux.Engine;

/// <summary>
/// A token bucket: tokens return evenly over ten seconds, and can be earned. Taking one costs a comparison; each batch costs one multiplication. Not safe for
/// concurrent use.
/// </summary>
internal sealed class TokenBucket
{
    /// <summary>Time in which an empty bucket fills, microseconds.</summary>
    public const long RefillTime = 10_000_000;

    private readonly long _capacity;
    private long _tokens;
    private long _refilledAt = long.MinValue;

    public TokenBucket(long capacity) => _tokens = _capacity = capacity;

    /// <summary>True if the bucket never runs out.</summary>
    public bool IsUnbounded => _capacity == BudgetLimits.Unbounded;

    /// <summary>Takes tokens if there are enough.</summary>
    public bool TryTake(long now, long count = 1)
    {
        if (now != _refilledAt) Refill(now);
        if (_tokens < count) return false;
        _tokens -= count;
        return true;
    }

    /// <summary>Gives tokens back, up to the capacity.</summary>
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
        if (back == 0) return; // keeps the time of less than one token
        Earn(back);
        _refilledAt = now;
    }
}
