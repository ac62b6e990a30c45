using Mux.Sessions.Budgets;
using Mux.Sessions.Lifecycle;
using Mux.Timing;

namespace Mux.Connections;

/// <summary>
/// Looks, while the peer of any connection takes no bytes, what all connections of the server hold unsent, and ends those whose peers have taken none for the
/// longest time until it is no more than the limit. Nothing runs while all peers read. Safe for concurrent use.
/// </summary>
internal sealed class UnsentWatch(ConnectionLedger ledger, Clock clock, long limit) : IStallWatch, ITicked
{
    /// <summary>Between two looks, microseconds: one looks at every connection.</summary>
    private const long Interval = 100_000;

    private readonly Ticker _ticker = Ticker.For(clock);
    private long _due = Clock.Never;

    public long NextDue => Volatile.Read(ref _due);

    public void Start()
    {
        if (limit != BudgetLimits.Unbounded) _ticker.Add(this);
    }

    public void Stop() => _ticker.Remove(this);

    /// <inheritdoc/>
    public void OnStalled(long now)
    {
        if (limit == BudgetLimits.Unbounded || Interlocked.CompareExchange(ref _due, now + Interval, Clock.Never) != Clock.Never) return;
        _ticker.Request(now + Interval);
    }

    public void OnTick(long now)
    {
        Volatile.Write(ref _due, Clock.Never); // before the look: what stalls behind it asks for another
        var connections = ledger.Connections;
        var stalled = connections.Where(connection => connection.StalledSince != Clock.Never)
            .Select(connection => (Connection: connection, Since: connection.StalledSince)).ToList();
        if (stalled.Count == 0) return;
        long unsent = connections.Sum(connection => connection.Outbound.Unsent);
        foreach (var (connection, _) in stalled.OrderBy(entry => entry.Since))
        {
            if (unsent <= limit) break;
            long own = connection.Outbound.Unsent;
            connection.Abort(ConnectionEnd.UnsentOfServer(limit, own));
            unsent -= own;
        }

        Interlocked.CompareExchange(ref _due, now + Interval, Clock.Never);
    }
}
