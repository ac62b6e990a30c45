using Mux.Calls;
using Mux.Contracts;

namespace Mux.Engine;

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
