using Mux.Calls;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;
using Mux.Telemetry;

namespace Mux.Push;

/// <summary>
/// A one-way call on its way to many peers: its encoded request is handed to one after the other. A connection is done with the object when it has appended the
/// request or refused it, so one object serves all of them, and is reused. It belongs to the thread that makes the call, or runs the queue of a member.
/// </summary>
internal sealed class GroupCall : OutgoingCall, IBoundCalls
{
    private IRoomWatch? _room;
    private CallFailure? _failure;
    private bool _isAppended;
    private bool _hasNoRoom;

    private GroupCall()
    {
        Bound = this;
    }

    /// <summary>Time that members have from now on, in microseconds; <see cref="Clock.Never"/> for as long as they want.</summary>
    public long Deadline { get; private set; }

    IRoomWatch IBoundCalls.Room => _room!;

    /// <summary>Rents a call.</summary>
    /// <param name="method">The method.</param>
    /// <param name="options">Options of the call, or null.</param>
    /// <param name="isSentLater">True if the caller has another thread flush the connections that have appended it.</param>
    public static GroupCall Rent(GroupMethod method, MuxCallOptions? options, bool isSentLater)
    {
        var call = Rent(method, isSentLater);
        OutgoingOptions.ApplyToMany(call, options);
        call.Deadline = options?.Timeout switch
        {
            null => method.Deadline,
            { } none when none == Timeout.InfiniteTimeSpan => Clock.Never,
            { } chosen => Math.Max(0, (long)Math.Ceiling(chosen.TotalMicroseconds)),
        };
        return call;
    }

    /// <summary>Hands over a call that has waited. The caller flushes the connection.</summary>
    /// <param name="entry">The call.</param>
    /// <param name="connection">The connection of the member.</param>
    /// <param name="room">Is told of room if there is none.</param>
    /// <param name="refusal">What the member says of a call that it refuses; otherwise null.</param>
    public static GroupStart Start(GroupEntry entry, Connection connection, IRoomWatch room, out string? refusal)
    {
        var message = entry.Message!;
        var call = Rent(message.Method, isSentLater: true);
        call.Extras = message.Extras;
        var start = call.Start(connection, room, message.Body, message.Bulk, entry.Due, out refusal);
        call.Return();
        return start;
    }

    public static MuxMissReason ReasonOf(GroupStart start) => start switch
    {
        GroupStart.Expired => MuxMissReason.Expired,
        GroupStart.Refused => MuxMissReason.Refused,
        _ => MuxMissReason.Disconnected,
    };

    /// <summary>Hands the call to one member.</summary>
    /// <param name="connection">The connection of the member.</param>
    /// <param name="room">Is told of room if there is none.</param>
    /// <param name="body">The encoded request; of a large one, nothing.</param>
    /// <param name="bulk">The encoded request if it is large: all connections share its memory.</param>
    /// <param name="due">When the call expires, on the clock of the connection.</param>
    /// <param name="refusal">What the member says of a call that it refuses; otherwise null.</param>
    public GroupStart Start(Connection connection, IRoomWatch room, ReadOnlySpan<byte> body, BulkMessage? bulk, long due, out string? refusal)
    {
        (_room, _failure, _isAppended, _hasNoRoom, refusal) = (room, null, false, false, null);
        Due = due;
        if (due != Clock.Never) StartedAt = connection.Clock.Now;
        if (bulk is not null) Bulk ??= bulk.Share();
        if (!connection.Initiator.TryStart(this, body)) return GroupStart.Gone; // the call is untouched
        Flow = null;
        if (_isAppended) return GroupStart.Appended;
        if (_hasNoRoom) return connection.HasEnded ? GroupStart.Gone : GroupStart.NoRoom;
        if (_failure is not { Status: var status } failure || connection.HasEnded) return GroupStart.Gone;
        if (status == MuxStatus.DeadlineExceeded) return GroupStart.Expired;
        refusal = $"{Method.FullName}: {failure.Text}"; // a kind of groups has many methods
        return GroupStart.Refused;
    }

    /// <summary>Ends the call.</summary>
    public void Return()
    {
        CallQueue.ReleaseBody(this); // its share of a large request, which the last member did not take
        Forget();
        Bound = this;
        _room = null;
        ObjectPool<GroupCall>.Shared.Return(this);
    }

    public override void OnAppended() => _isAppended = true;

    public override void OnFailed(CallFailure failure, bool inTurn) => _failure = failure;

    public override void OnResponse(ReadOnlySpan<byte> body, CallTally tally)
    {
        // The slot holds what stands for all one-way calls: no reply comes here.
    }

    void IBoundCalls.OnNoRoom(OutgoingCall call, ReadOnlySpan<byte> body) => _hasNoRoom = true;

    void IBoundCalls.OnUnsent(OutgoingCall call, CallFailure? failure)
    {
        // A one-way call has its outcome when it is appended, and none waits.
    }

    private static GroupCall Rent(GroupMethod method, bool isSentLater)
    {
        var call = ObjectPool<GroupCall>.Shared.TryRent() ?? new GroupCall();
        call.SetMethod(method.Called);
        (call.Options, call.IsSentLater) = (method.Options, isSentLater);
        return call;
    }
}

/// <summary>What becomes of a call that is handed to a connection.</summary>
internal enum GroupStart
{
    Appended,

    /// <summary>The connection has no room, and tells when it has.</summary>
    NoRoom,

    /// <summary>The connection takes no calls any more.</summary>
    Gone,

    /// <summary>The time of the call is over.</summary>
    Expired,

    /// <summary>The peer takes no such call.</summary>
    Refused,
}

/// <summary>
/// One call of a group as its caller waits for it: until it is in the queue of each member, or the member misses it. Safe for concurrent use.
/// </summary>
/// <param name="reports">True if the caller wants to know which members miss the call.</param>
internal sealed class GroupSend(bool reports)
{
    private readonly Lock _gate = new(); // guards what is missed
    private readonly List<MuxMissedMember> _missed = [];
    private int _members;
    private bool _isNotRelayed;
    private readonly TaskCompletionSource _placed = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _waits = 1; // members that have no room yet, and the thread that hands the call to all

    /// <summary>Waits for all members.</summary>
    /// <exception cref="OperationCanceledException">The caller waits no longer. Members may still get the call.</exception>
    public ValueTask WaitAsync(CancellationToken cancellationToken) =>
        _placed.Task.IsCompleted ? default : new ValueTask(_placed.Task.WaitAsync(cancellationToken));

    /// <summary>Waits for all members, and tells what became of the call.</summary>
    /// <inheritdoc cref="WaitAsync"/>
    public async ValueTask<MuxGroupDelivery> ReportAsync(CancellationToken cancellationToken)
    {
        await WaitAsync(cancellationToken).ConfigureAwait(false);
        lock (_gate) return new MuxGroupDelivery(_members - _missed.Count, [.. _missed], Volatile.Read(ref _isNotRelayed));
    }

    /// <summary>The call is for so many members.</summary>
    public void OnCall(int members) => Interlocked.Add(ref _members, members);

    /// <summary>A member misses the call.</summary>
    public void OnMissed(MuxPeer peer, MuxMissReason reason)
    {
        if (!reports) return;
        lock (_gate) _missed.Add(new MuxMissedMember(peer, reason));
    }

    /// <summary>Other servers do not get the call.</summary>
    public void OnNotRelayed() => Volatile.Write(ref _isNotRelayed, true);

    /// <summary>One more member has no room yet.</summary>
    public void OnWaits() => Interlocked.Increment(ref _waits);

    /// <summary>It is known what becomes of the call at one member, or all have been asked.</summary>
    public void OnDecided()
    {
        if (Interlocked.Decrement(ref _waits) == 0) _placed.TrySetResult();
    }
}

/// <summary>Hands an encoded call to the members of a group in this process.</summary>
/// <remarks>
/// To a few members the thread sends itself, as for other calls. For more it only appends: a send costs 3 us, so a thousand would hold the caller, and often a
/// turn, for 3 ms. Sweeps of the <see cref="FanOut"/> send, and what further calls append meanwhile leaves with the same sends. They also hand over what waits
/// in the queues of members.
/// </remarks>
internal static class GroupDelivery
{
    /// <summary>Members to which the caller sends.</summary>
    private const int MostSentHere = 8;

    /// <summary>Members after which sweeps begin, while the call is handed to the others.</summary>
    private const int Portion = 256;

    /// <summary>Hands a call to members, and counts for whom.</summary>
    /// <param name="kind">What the group shares with others.</param>
    /// <param name="members">The members.</param>
    /// <param name="label">Names their group for people.</param>
    /// <param name="method">The method.</param>
    /// <param name="body">The encoded request.</param>
    /// <param name="bulk">The same request if it is large; otherwise null.</param>
    /// <param name="options">Options of the call, or null.</param>
    /// <param name="except">Who does not get it; null if all members do.</param>
    /// <param name="report">Learns what becomes of it; null if its caller does not ask.</param>
    /// <returns>What the caller may wait for: members that have no room. Null if there is none.</returns>
    public static GroupSend? Run(
        GroupKind kind, GroupMember[] members, GroupLabel label, GroupMethod method, ReadOnlySpan<byte> body, BulkMessage? bulk, MuxCallOptions? options,
        GroupExcept? except, GroupSend? report = null)
    {
        var call = GroupCall.Rent(method, options, isSentLater: members.Length > MostSentHere);
        var owing = new SweptChain(kind.FanOut, Portion);
        GroupMessage? message = null;
        var send = report;
        int delivered = 0, wanted = 0;
        foreach (var member in members)
        {
            if (except?.Spares(member) == true) continue;
            wanted++;
            if (member.Connection is not { } connection)
            {
                if (TryInvoke(kind, member, method, body)) delivered++;
                else report?.OnMissed(member.Peer, MuxMissReason.Failed);
                continue;
            }

            long due = call.Deadline == Clock.Never ? Clock.Never : Clock.After(connection.Clock.Now, call.Deadline);
            string? refusal = null;
            var start = GroupStart.NoRoom;
            if (member.Queue is not { IsEmpty: false }) start = call.Start(connection, member, bulk is null ? body : [], bulk, due, out refusal);
            switch (start)
            {
                case GroupStart.Appended:
                    delivered++;
                    if (call.IsSentLater && member.TryMark()) owing.Add(member);
                    break;
                case GroupStart.NoRoom:
                    message ??= GroupMessage.Keep(method, call.Extras, body, bulk);
                    var place = member.OpenQueue(kind.FanOut).Add(kind, label, message, due, ref send);
                    if (place == QueuePlace.First && member.TryMark()) owing.Add(member);
                    break;
                default:
                    member.OpenQueue(kind.FanOut).Missed.Add(kind, label, GroupCall.ReasonOf(start), refusal);
                    report?.OnMissed(member.Peer, GroupCall.ReasonOf(start));
                    break;
            }
        }

        owing.Flush();
        call.Return();
        message?.LetGo();
        kind.Counters.OnDelivered(delivered);
        report?.OnCall(wanted);
        if (report is null) send?.OnDecided(); // else its caller does it
        return send;
    }

    /// <summary>Calls a member that is no connection.</summary>
    private static bool TryInvoke(GroupKind kind, GroupMember member, GroupMethod method, ReadOnlySpan<byte> body)
    {
        try
        {
            _ = IgnoreAsync(method.InvokeAsync(kind.Methods.ProxyOf(member.Peer), body));
            return true;
        }
        catch (Exception)
        {
            kind.Counters.OnMissed(MuxMissReason.Failed);
            return false;
        }
    }

    private static async Task IgnoreAsync(ValueTask call)
    {
        try
        {
            await call.ConfigureAwait(false);
        }
        catch (Exception)
        {
            // The caller of a one-way call does not learn of it.
        }
    }
}

/// <summary>Members to which something has to be sent, on their way to the sweeps.</summary>
/// <param name="fanOut">Has the sweeps.</param>
/// <param name="portion">Members after which sweeps begin.</param>
internal struct SweptChain(FanOut fanOut, int portion)
{
    private SweptReader? _first;
    private SweptReader? _last;
    private int _count;

    /// <summary>Adds one, which is in no list.</summary>
    public void Add(SweptReader member)
    {
        if (_last is null) _first = member;
        else _last.Next = member;
        _last = member;
        if (++_count == portion) Flush();
    }

    /// <summary>Hands over all that were added.</summary>
    public void Flush()
    {
        if (_last is null) return;
        fanOut.Add(_first!, _last, _count);
        (_first, _last, _count) = (null, null, 0);
    }
}

/// <summary>What all groups of one kind have done and have. Any thread.</summary>
/// <param name="name">Their name in metrics.</param>
internal sealed class GroupCounters(string name) : IGroupReadings
{
    private long _calls;
    private long _delivered;
    private readonly long[] _missed = new long[MissReasons.Length];
    private long _queuedBytes;
    private int _queued;
    private int _members;
    private int _groups;

    public string Name => name;

    public long Calls => Volatile.Read(ref _calls);

    public long Delivered => Volatile.Read(ref _delivered);

    public long Missed => _missed.Sum();

    public int Queued => Volatile.Read(ref _queued);

    public long QueuedBytes => Volatile.Read(ref _queuedBytes);

    public int Members => Volatile.Read(ref _members);

    public int Groups => Volatile.Read(ref _groups);

    public void OnCall() => Interlocked.Increment(ref _calls);

    public long MissedFor(MuxMissReason reason) => Volatile.Read(ref _missed[(int)reason]);

    /// <summary>Counts a call for each member whose connection has it.</summary>
    public void OnDelivered(int members)
    {
        if (members > 0) Interlocked.Add(ref _delivered, members);
    }

    /// <summary>Counts calls that a member misses.</summary>
    public void OnMissed(MuxMissReason reason, int calls = 1) => Interlocked.Add(ref _missed[(int)reason], calls);

    /// <summary>Counts calls that wait for a member, or no longer do if negative.</summary>
    public void OnQueued(int calls, long bytes)
    {
        Interlocked.Add(ref _queued, calls);
        Interlocked.Add(ref _queuedBytes, bytes);
    }

    public void OnJoined() => Interlocked.Increment(ref _members);

    public void OnLeft() => Interlocked.Decrement(ref _members);

    public void OnGroupMade() => Interlocked.Increment(ref _groups);

    public void OnGroupForgotten() => Interlocked.Decrement(ref _groups);
}
