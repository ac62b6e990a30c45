using Mux.Contracts;

namespace Mux.Connections;

/// <summary>
/// Adds up what the connections of one channel or server have done. Counting costs the connections nothing: their single-writer counters are summed when somebody
/// looks, and kept when a connection is gone. Safe for concurrent use.
/// </summary>
internal sealed class ConnectionLedger
{
    private readonly Lock _gate = new();
    private readonly HashSet<Connection> _connections = [];
    private readonly List<Connection> _retired = []; // of these, the released ones whose handlers still ran when somebody last looked
    private readonly LedgerTotals _past = new(); // of connections that are gone, and of calls that never came to one

    /// <summary>The connections that are not gone, or have handlers running still; for tests.</summary>
    public Connection[] Connections
    {
        get
        {
            lock (_gate)
            {
                FoldLocked();
                return [.. _connections];
            }
        }
    }

    public void Add(Connection connection)
    {
        lock (_gate) _connections.Add(connection);
    }

    /// <summary>The connection is released. Its handlers may still run; it is kept until they have ended.</summary>
    public void Retire(Connection connection)
    {
        lock (_gate)
        {
            _retired.Add(connection);
            FoldLocked();
        }
    }

    /// <summary>A call that failed before any connection had it.</summary>
    public void CountOutside(MethodDescriptor method, MuxStatus status)
    {
        lock (_gate) _past.AddOutside(method, status);
    }

    /// <summary>A connection ended.</summary>
    public void CountEnd(CloseReason reason)
    {
        lock (_gate) _past.AddEnd(reason);
    }

    /// <summary>Everything until now. The numbers of one connection may be a moment apart while it works.</summary>
    public LedgerTotals Sum()
    {
        lock (_gate)
        {
            FoldLocked();
            var totals = new LedgerTotals();
            totals.Add(_past);
            foreach (var connection in _connections) totals.Add(connection);
            return totals;
        }
    }

    private void FoldLocked()
    {
        for (int i = _retired.Count - 1; i >= 0; i--)
        {
            var gone = _retired[i];
            if (gone.Acceptor.OpenCount > 0) continue;
            _retired.RemoveAt(i);
            if (_connections.Remove(gone)) _past.Add(gone);
        }
    }
}
