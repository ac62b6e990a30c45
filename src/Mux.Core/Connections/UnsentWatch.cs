using Mux.Sessions.Budgets;
using Mux.Sessions.Lifecycle;
using Mux.Timing;

namespace Mux.Connections;

/// <summary>
/// Limits what all connections of a server hold unsent. Active only while a peer does not read: it then ends connections, starting with those whose peers have
/// read nothing for the longest time, until the sum is within the limit. Safe for concurrent use.
/// </summary>
internal sealed class UnsentWatch(ConnectionLedger ledger, Clock clock, long limit) : IStallWatch, ITicked
{
    /// <summary>Microseconds between two checks, each of which visits every connection.</summary>
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
        Volatile.Write(ref _due, Clock.Never); // before the check: connections that stall after it request another
        var connections = ledger.Connections;
        var stalled = connections
            .Where(connection => connection.StalledSince != Clock.Never)
            .Select(connection => (Connection: connection, Since: connection.StalledSince))
            .ToList();

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
