using Mux.Contracts;
using Mux.Sessions.Budgets;
using Mux.Sessions.Lifecycle;

namespace Mux.Connections;

/// <summary>
/// Adds up what the connections of one channel or server have done. Counting costs the connections nothing: their single-writer counters are summed when
/// somebody looks, and kept when a connection is gone. Safe for concurrent use.
/// </summary>
internal sealed class ConnectionLedger
{
    private readonly Lock _gate = new();
    private readonly HashSet<Connection> _connections = [];
    private readonly List<Connection> _released = []; // with handlers that still ran when somebody looked last
    private readonly LedgerTotals _past = new(); // of connections that are gone, and of calls that never came to one

    /// <summary>The connections that are not gone, or have handlers running still; for tests.</summary>
    public Connection[] Connections
    {
        get
        {
            lock (_gate)
            {
                FoldReleasedLocked();
                return [.. _connections, .. _released];
            }
        }
    }

    public void Add(Connection connection)
    {
        lock (_gate) _connections.Add(connection);
    }

    /// <summary>Whether fewer than <paramref name="limit"/> have a place: those that are not gone, and those of which handlers run still.</summary>
    public bool HasPlace(int limit)
    {
        lock (_gate)
        {
            if (_connections.Count + _released.Count >= limit) FoldReleasedLocked();
            return _connections.Count + _released.Count < limit;
        }
    }

    /// <summary>The connection is released. Its handlers may still run; it is kept until they have ended.</summary>
    public void Retire(Connection connection)
    {
        lock (_gate)
        {
            if (_connections.Remove(connection)) _released.Add(connection);
            FoldReleasedLocked();
        }
    }

    /// <summary>A call that failed before any connection had it.</summary>
    public void CountOutside(MethodDescriptor method, MuxStatus status)
    {
        lock (_gate) _past.AddOutside(method, status);
    }

    /// <summary>A call was counted with one status before it was known to have another.</summary>
    public void Recount(MethodDescriptor method, MuxStatus from, MuxStatus to)
    {
        lock (_gate) _past.Recount(method, from, to);
    }

    /// <summary>A connection ended.</summary>
    public void CountEnd(CloseReason reason)
    {
        lock (_gate) _past.AddEnd(reason);
    }

    /// <summary>A peer broke a limit, or found one used up.</summary>
    public void CountLimit(PeerLimit limit)
    {
        lock (_gate) _past.AddLimit(limit);
    }

    /// <summary>Everything until now. The numbers of one connection may be a moment apart while it works.</summary>
    public LedgerTotals Sum()
    {
        lock (_gate)
        {
            FoldReleasedLocked();
            var totals = new LedgerTotals();
            totals.Add(_past);
            foreach (var connection in _connections) totals.Add(connection);
            foreach (var connection in _released) totals.Add(connection);
            return totals;
        }
    }

    private void FoldReleasedLocked()
    {
        for (int i = _released.Count - 1; i >= 0; i--)
        {
            if (_released[i].RequestCounts.OpenCount > 0) continue;
            _past.Add(_released[i]);
            _released[i].Budgets.Handlers?.Leave();
            _released[i].Memory?.Leave();
            _released.RemoveAt(i);
        }
    }
}
