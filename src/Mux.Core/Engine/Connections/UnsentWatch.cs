using Mux.Runtime;

namespace Mux.Engine;

/// <summary>
/// Limits what all connections of a server hold unsent. Active only while a peer does not read: it then ends connections, in the order of <see cref="Weigh"/>,
/// until the sum is within the limit. Safe for concurrent use.
/// </summary>
/// <remarks>
/// Replies of open calls are counted in the memory of the server and never refused for lack of it. So peers that do not
/// read could hold all of it, and requests of others would find none: while they hold the part for connections with
/// little, they end in the same way.
/// </remarks>
/// <param name="ledger">The connections.</param>
/// <param name="clock">The clock.</param>
/// <param name="limit">Unsent bytes of all connections.</param>
/// <param name="memory">The memory of the server; null if it is not limited.</param>
internal sealed class UnsentWatch(ConnectionLedger ledger, Clock clock, long limit, MemoryBudget? memory = null)
    : IStallWatch, ITicked, IThreadPoolWorkItem
{
    /// <summary>Microseconds between two checks, each of which visits every connection.</summary>
    private const long Interval = 100_000;

    private const long Second = 1_000_000;

    /// <summary>
    /// Time for which a peer must be behind before it ends for lack of memory: a network that loses packets takes as long.
    /// </summary>
    private const long Patience = Second;

    private readonly bool _isUnlimited =
        limit == BudgetLimits.Unbounded && memory is null or { Limit: BudgetLimits.Unbounded };
    private readonly Ticker _ticker = Ticker.For(clock);
    private long _due = Clock.Never;
    private bool _isChecking; // on another thread than the ticker's

    public long NextDue => Volatile.Read(ref _due);

    public void Start()
    {
        if (!_isUnlimited) _ticker.Add(this);
    }

    public void Stop() => _ticker.Remove(this);

    /// <inheritdoc/>
    public void OnStalled(long now)
    {
        if (_isUnlimited || Interlocked.CompareExchange(ref _due, now + Interval, Clock.Never) != Clock.Never) return;
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
            .Select(connection => (Connection: connection, connection.Outbound.Unsent, Behind: BehindFor(connection, now)))
            .Where(entry => entry is { Unsent: > 0, Behind: >= 0 })
            .ToList();

        foreach (var connection in connections)
        {
            if (connection.Memory is { } share) share.IsSlow = BehindFor(connection, now) >= Patience;
        }

        // One that has just caught up is looked at once more: it must not stay slow.
        if (behind.Count == 0 && !connections.Exists(static connection => connection.Memory is { IsSlow: true })) return;
        long unsent = connections.Sum(connection => connection.Outbound.Unsent);
        foreach (var (connection, own, time) in behind.OrderByDescending(entry => Weigh(entry.Unsent, entry.Behind)))
        {
            if (unsent <= limit) break;
            connection.Abort(ConnectionEnd.UnsentOfServer(limit, own, time));
            unsent -= own;
        }

        MakeRoom(connections, now);
        Rearm(now);
    }

    /// <summary>
    /// Ends connections when requests of others could find no memory, until there is some for several: each refused one
    /// is sent again only after a pause. Within the limit, only those end whose peers have been behind for some time.
    /// </summary>
    private void MakeRoom(List<Connection> connections, long now)
    {
        if (memory is not { Lack: > 0 }) return;
        long patience = memory.Used > memory.Limit ? 0 : Patience;
        var holders = connections
            .Select(connection =>
                (Connection: connection, Behind: BehindFor(connection, now), Held: connection.Memory?.Used ?? 0))
            .Where(entry => entry.Behind >= patience && entry.Held > 0)
            .ToList();

        // Others hold it, whose peers read: these would end for nothing.
        if (holders.Sum(static entry => entry.Held) < memory.Lack) return;
        foreach (var (connection, behind, held) in holders.OrderByDescending(entry => Weigh(entry.Held, entry.Behind)))
        {
            if (memory.HasPlenty) break;
            connection.Abort(ConnectionEnd.HeldOfServer(memory.Limit, held, behind));
        }
    }

    /// <summary>Gets the time for which the peer has been behind, microseconds; -1 if it is not.</summary>
    private static long BehindFor(Connection connection, long now) =>
        connection.BehindSince is not Clock.Never and var since ? Math.Max(0, now - since) : -1;

    private void Rearm(long now)
    {
        Interlocked.CompareExchange(ref _due, now + Interval, Clock.Never);
        _ticker.Request(now + Interval);
    }

    /// <summary>
    /// The connection with the most unsent bytes times the time that its peer is behind (<see cref="BacklogAge"/>) ends first. Bytes read now and then do not
    /// shorten that time, and a short queue may wait long. The second more lets the bytes decide between peers that have just come.
    /// </summary>
    private static double Weigh(long held, long behind) => (double)held * (behind + Second);
}

/// <summary>Watches what all connections of a server hold unsent while a peer does not read. Safe for concurrent use.</summary>
internal interface IStallWatch
{
    /// <summary>The peer of a connection has stopped reading. Called under the lock of that connection.</summary>
    void OnStalled(long now);
}
