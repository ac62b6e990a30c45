using System.Diagnostics;
using Mux.Calls;
using Mux.Contracts;

namespace Mux.Engine;

/// <summary>
/// Sums what the connections of one channel or server have done. Counting costs the connections nothing: their single-writer counters are summed on demand, and
/// kept when a connection is gone. Safe for concurrent use.
/// </summary>
internal sealed class ConnectionLedger
{
    private readonly Lock _gate = new();
    private readonly HashSet<Connection> _connections = [];
    private readonly List<Connection> _released = []; // handlers of these were still running at the last check
    private long _made; // under the lock: connections added so far
    private readonly LedgerTotals _past = new(); // of connections that are gone, and of calls that never reached one

    /// <summary>Gets the number of started calls that no connection has at the moment; null if there are never any. Set before the first call.</summary>
    public Func<int>? CallsHeld { get; set; }

    /// <summary>Gets the number of calls that no connection has had yet; null if there are never any. Set before the first call.</summary>
    public Func<int>? CallsQueued { get; set; }

    /// <summary>Connections that are not gone, or still have running handlers; for tests.</summary>
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
        lock (_gate)
        {
            if (_connections.Add(connection)) _made++;
        }
    }

    /// <summary>True if fewer than <paramref name="limit"/> connections have a place. Ended ones with running handlers keep theirs.</summary>
    public bool HasPlace(int limit)
    {
        lock (_gate)
        {
            if (_connections.Count + _released.Count >= limit) FoldReleasedLocked();
            return _connections.Count + _released.Count < limit;
        }
    }

    /// <summary>Retires a released connection. It is kept until its handlers have ended.</summary>
    public void Retire(Connection connection)
    {
        lock (_gate)
        {
            if (_connections.Remove(connection)) _released.Add(connection);
            FoldReleasedLocked();
        }
    }

    /// <summary>Counts a call that failed before a connection had it.</summary>
    public void CountOutside(MethodDescriptor method, MuxStatus status)
    {
        lock (_gate) _past.AddOutside(method, status);
    }

    /// <summary>Counts a one-way call that failed after its caller had continued: it was counted as one that succeeded, and stays so.</summary>
    public void CountOneWayFailure(MethodDescriptor method, MuxStatus status)
    {
        lock (_gate) _past.OneWayFailures.Add(method, status);
    }

    /// <summary>Corrects the status of a call that was counted with another one.</summary>
    public void Recount(MethodDescriptor method, MuxStatus from, MuxStatus to)
    {
        lock (_gate) _past.Recount(method, from, to);
    }

    /// <summary>
    /// Counts an attempt that failed and is followed by another one. Its outcome, which was counted, is not that of the call; the call stays started.
    /// </summary>
    public void CountRepeat(MethodDescriptor method, MuxStatus status, Repeat reason)
    {
        lock (_gate) _past.AddRepeat(method, status, reason);
    }

    /// <summary>Counts a copy of a call that is sent while the first attempt is open.</summary>
    public void CountHedge()
    {
        lock (_gate) _past.AddAttempt(Repeat.Hedge);
    }

    /// <summary>Uncounts the outcome of a copy of a call, which was not needed or is not that of the call.</summary>
    public void Uncount(MethodDescriptor method, MuxStatus status)
    {
        lock (_gate) _past.Calls.Remove(method, status);
    }

    /// <summary>A call that was counted as started is started again, and will be counted there.</summary>
    public void UncountStart()
    {
        lock (_gate) _past.UncountStart();
    }

    /// <summary>Counts the outcome of a call that was started before, while no connection has it.</summary>
    public void CountOutcome(MethodDescriptor method, MuxStatus status)
    {
        lock (_gate) _past.Calls.Add(method, status);
    }

    /// <summary>Number of calls that were started, each counted once. Cheaper than <see cref="Sum"/>.</summary>
    public long CallsStarted
    {
        get
        {
            lock (_gate)
            {
                long started = _past.CallsStarted;
                foreach (var connection in _connections) started += connection.Initiator.Started;
                foreach (var connection in _released) started += connection.Initiator.Started;
                return started;
            }
        }
    }

    /// <summary>Counts the end of a connection.</summary>
    public void CountEnd(CloseReason reason)
    {
        lock (_gate) _past.AddEnd(reason);
    }

    /// <summary>Counts a limit that a peer exceeded or found used up.</summary>
    public void CountLimit(PeerLimit limit)
    {
        lock (_gate) _past.AddLimit(limit);
    }

    /// <summary>Sums everything until now. The numbers of a working connection may be read at slightly different times.</summary>
    public LedgerTotals Sum()
    {
        lock (_gate)
        {
            FoldReleasedLocked();
            var totals = new LedgerTotals();
            totals.Add(_past);
            totals.ConnectionsMade = _made;
            totals.AddHeld(CallsHeld?.Invoke() ?? 0);
            totals.AddQueued(CallsQueued?.Invoke() ?? 0);
            foreach (var connection in _connections) totals.Add(connection);
            foreach (var connection in _released) totals.Add(connection);
            return totals;
        }
    }

    private void FoldReleasedLocked()
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        for (int i = _released.Count - 1; i >= 0; i--)
        {
            if (_released[i].RequestCounts.OpenCount > 0) continue;
            _past.Add(_released[i]);
            _released[i].Handlers?.Leave();
            _released[i].RequestCounts.Subscriptions.Leave();
            _released[i].Routes.Leave();
            _released[i].Memory?.Leave();
            _released.RemoveAt(i);
        }
    }
}

/// <summary>Sums over connections. Written by one thread.</summary>
internal sealed class LedgerTotals
{
    private readonly long[] _ends = new long[Enum.GetValues<CloseReason>().Length];

    private readonly long[] _attempts = new long[(int)Repeat.Hedge + 1];

    private readonly long[] _limits = new long[Enum.GetValues<PeerLimit>().Length];

    public int OpenConnections { get; private set; }

    /// <summary>Connections that were made, also those that never opened.</summary>
    public long ConnectionsMade { get; set; }

    public long WaitingCalls { get; private set; }

    public long UnsentBytes { get; private set; }

    /// <summary>Calls of the peers that wait until they may run.</summary>
    public long ParkedCalls { get; private set; }

    public long CallsStarted { get; private set; }

    public long RequestsStarted { get; private set; }

    /// <summary>Outcomes of calls that this side made.</summary>
    public CallTally Calls { get; } = new();

    /// <summary>One-way calls that failed after their callers had continued.</summary>
    public CallTally OneWayFailures { get; } = new();

    /// <summary>Outcomes of calls that this side answered.</summary>
    public CallTally Requests { get; } = new();

    public long BytesReceived { get; private set; }

    public long BytesSent { get; private set; }

    public long FramesReceived { get; private set; }

    public long Receives { get; private set; }

    public long Sends { get; private set; }

    public long LateReplies { get; private set; }

    public long ProtocolErrors => EndsOf(CloseReason.ProtocolError) + EndsOf(CloseReason.ExcessiveLoad) + EndsOf(CloseReason.TooManyPings);

    /// <summary>Gets the number of connections that ended for this reason.</summary>
    public long EndsOf(CloseReason reason) => _ends[(int)reason];

    /// <summary>Gets how often peers exceeded a limit or found it used up.</summary>
    public long BreachesOf(PeerLimit limit) => _limits[(int)limit];

    /// <summary>Gets how often a call was sent again for a reason.</summary>
    public long AttemptsOf(Repeat reason) => _attempts[(int)reason];

    /// <summary>Counts a copy of a call that is open.</summary>
    public void AddAttempt(Repeat reason) => _attempts[(int)reason]++;

    /// <summary>Counts an attempt whose failure was counted as that of its call, which is sent again.</summary>
    public void AddRepeat(MethodDescriptor method, MuxStatus status, Repeat reason)
    {
        Calls.Remove(method, status);
        AddAttempt(reason);
    }

    /// <summary>Counts calls that wait outside all connections, and are counted as started.</summary>
    public void AddHeld(int calls) => WaitingCalls += calls;

    /// <summary>Counts calls that wait for their first connection, which will count them as started.</summary>
    public void AddQueued(int calls)
    {
        WaitingCalls += calls;
        CallsStarted += calls;
    }

    public void UncountStart() => CallsStarted--;

    public void AddLimit(PeerLimit limit, long count = 1) => _limits[(int)limit] += count;

    public void AddEnd(CloseReason reason) => _ends[(int)reason]++;

    public void AddOutside(MethodDescriptor method, MuxStatus status)
    {
        CallsStarted++;
        Calls.Add(method, status);
    }

    public void Recount(MethodDescriptor method, MuxStatus from, MuxStatus to) => Calls.Move(method, from, to);

    public void Add(Connection connection)
    {
        // Completed before started: a call that changes in between then counts as active, not as minus one.
        connection.Initiator.TurnTally.AddTo(Calls);
        connection.Initiator.LockedTally.AddTo(Calls);
        connection.RequestCounts.TurnTally.AddTo(Requests);
        connection.RequestCounts.LockedTally.AddTo(Requests);
        CallsStarted += connection.Initiator.Started;
        RequestsStarted += connection.RequestCounts.Started;
        BytesReceived += connection.Received.Bytes;
        FramesReceived += connection.Received.Frames;
        Receives += connection.Received.Batches;
        LateReplies += connection.Received.LateReplies;
        BytesSent += connection.Sent.Bytes;
        Sends += connection.Sent.Sends;
        WaitingCalls += connection.Initiator.WaitingCount; // includes a connection that is being dialed
        if (connection.State != ConnectionState.Open) return;
        OpenConnections++;
        UnsentBytes += connection.Outbound.Unsent;
        ParkedCalls += connection.ParkedRequests;
    }

    public void Add(LedgerTotals other)
    {
        other.Calls.AddTo(Calls);
        other.Requests.AddTo(Requests);
        other.OneWayFailures.AddTo(OneWayFailures);
        CallsStarted += other.CallsStarted;
        RequestsStarted += other.RequestsStarted;
        BytesReceived += other.BytesReceived;
        BytesSent += other.BytesSent;
        FramesReceived += other.FramesReceived;
        Receives += other.Receives;
        Sends += other.Sends;
        LateReplies += other.LateReplies;
        for (int reason = 0; reason < _ends.Length; reason++) _ends[reason] += other._ends[reason];
        for (int reason = 0; reason < _attempts.Length; reason++) _attempts[reason] += other._attempts[reason];
        for (int limit = 0; limit < _limits.Length; limit++) _limits[limit] += other._limits[limit];
    }
}
