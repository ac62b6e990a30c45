using Mux.Execution;
using Mux.Sessions.Budgets;
using Mux.Sessions.Lifecycle;
using Mux.Timing;

namespace Mux.Connections;

/// <summary>
/// Limits what all connections of a server hold unsent. Active only while a peer does not read: it then ends connections, in the order of <see cref="Weigh"/>,
/// until the sum is within the limit. Safe for concurrent use.
/// </summary>
internal sealed class UnsentWatch(ConnectionLedger ledger, Clock clock, long limit) : IStallWatch, ITicked, IThreadPoolWorkItem
{
    /// <summary>Microseconds between two checks, each of which visits every connection.</summary>
    private const long Interval = 100_000;

    private const long Second = 1_000_000;

    private readonly Ticker _ticker = Ticker.For(clock);
    private long _due = Clock.Never;
    private bool _isChecking; // on another thread than the ticker's

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
        if (!Ticker.MayNotBlock) Check(now);
        else if (Interlocked.Exchange(ref _isChecking, true)) Rearm(now); // the last check has not ended: a log blocks it
        else WorkQueue.OfProcess.Add(this); // ends are logged
    }

    void IThreadPoolWorkItem.Execute()
    {
        try
        {
            Check(clock.Now);
        }
        finally
        {
            Volatile.Write(ref _isChecking, false);
        }
    }

    private void Check(long now)
    {
        var connections = ledger.Connections.Where(connection => connection.State != ConnectionState.Closed).ToList(); // the others sent or dropped all
        var behind = connections
            .Select(connection => (Connection: connection, connection.Outbound.Unsent, Since: connection.BehindSince))
            .Where(entry => entry is { Unsent: > 0, Since: not Clock.Never })
            .ToList();

        if (behind.Count == 0) return;
        long unsent = connections.Sum(connection => connection.Outbound.Unsent);
        foreach (var (connection, own, since) in behind.OrderByDescending(entry => Weigh(entry.Unsent, entry.Since, now)))
        {
            if (unsent <= limit) break;
            connection.Abort(ConnectionEnd.UnsentOfServer(limit, own, Math.Max(0, now - since)));
            unsent -= own;
        }

        Rearm(now);
    }

    private void Rearm(long now)
    {
        Interlocked.CompareExchange(ref _due, now + Interval, Clock.Never);
        _ticker.Request(now + Interval);
    }

    /// <summary>
    /// The connection with the most unsent bytes times the time that its peer is behind (<see cref="BacklogAge"/>) ends first. Bytes read now and then do not
    /// shorten that time, and a short queue may wait long. The second more lets the bytes decide between peers that have just come.
    /// </summary>
    private static double Weigh(long unsent, long since, long now) => (double)unsent * (Math.Max(0, now - since) + Second);
}
