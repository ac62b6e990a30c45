using System.Diagnostics;
using Mux.Calls;
using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;

namespace Mux.Push;

/// <summary>The calls to one member alone, while they wait in its queue with those of its groups. Safe for concurrent use, except where stated.</summary>
/// <param name="take">Takes a call out of the queue.</param>
/// <param name="calls">Carries the calls.</param>
/// <param name="connection">The connection of the member.</param>
/// <param name="room">Is told when the connection has room.</param>
internal sealed class LoneCalls(LoneCalls.Take take, PeerCalls calls, Connection connection, IRoomWatch room) : CallHolder, IBoundCalls
{
    /// <summary>Microseconds that a call without a deadline waits while the member takes none: calls that call each other back and forth end.</summary>
    private const long MostStuck = 5_000_000;

    private static readonly CallFailure s_cancelled = new(MuxStatus.Cancelled, MuxExecution.NotExecuted, MuxCallPhase.Queue,
        "The caller cancelled the call before the peer had room for it.", IsCallerCancel: true);

    private static readonly CallFailure s_expired = new(MuxStatus.DeadlineExceeded, MuxExecution.NotExecuted, MuxCallPhase.Queue,
        "The deadline passed before the peer had room for the call.")
    {
        IsOwnDeadline = true,
    };

    private static readonly CallFailure s_full = Refusal(
        $"The calls that wait for the peer hold as many bytes as may wait for one: {GroupKind.DefaultQueuedBytes}, of which a call takes its request and " +
        $"{CallQueue.CallCharge}. Make fewer at once, or raise MaxCallsPerConnection of the peer.");

    private static readonly CallFailure s_noMemory = Refusal(
        "The peer has no room for the call, and this side no memory to keep it: Limits.MaxHeldBytes, or MaxHeldBytesPerAddress, allows no more. Make fewer " +
        "calls at once, or raise it.");

    private static readonly CallFailure s_stuck = Refusal(
        "The peer has taken none of the calls that wait for it for 5 s: as many are open as its MaxCallsPerConnection allows, or it does not read. A call " +
        "without a timeout waits no longer than that; one with a timeout waits until it is over.");

    private bool _hasNoRoom; // of the thread that runs the queue
    private long _takenAt = long.MinValue / 2; // when the member took a call; guarded by the lock of the queue

    /// <summary>Takes a call out of the queue for its caller, unless it is about to be handed over.</summary>
    /// <returns>False if <see cref="LoneCalls"/> does not hold it.</returns>
    public delegate bool Take(OutgoingCall call, out bool isTaken);

    /// <summary>Names them where groups are named.</summary>
    public static GroupLabel Label { get; } = new("calls to the peer alone", key: null);

    /// <inheritdoc/>
    public override string PeerPlace => connection.PeerPlace;

    /// <inheritdoc/>
    public override string PeerAddress => connection.RemoteAddress;

    /// <summary>
    /// True if the connection decides the last call that was to start, also after an exception: nothing else may. Of the
    /// thread that runs the queue.
    /// </summary>
    public bool IsHandedOver { get; private set; }

    IRoomWatch IBoundCalls.Room => room;

    /// <summary>One has been added. Under the lock of the queue.</summary>
    public void OnAdded(GroupEntry entry, long now)
    {
        entry.Call!.Holder = this;
        if (entry.Due == Clock.Never) entry.Due = now + MostStuck;
    }

    /// <summary>The member has taken a call. Under the lock of the queue.</summary>
    public void OnTaken(long now) => _takenAt = now;

    /// <summary>The time of one is over: it continues if the member has taken calls meanwhile, and no deadline ends it. Under the lock of the queue.</summary>
    public void Renew(GroupEntry entry)
    {
        if (entry.Call!.Due == Clock.Never) entry.Due = Math.Max(entry.Due, _takenAt + MostStuck);
    }

    /// <summary>
    /// Hands over a call, and sets <see cref="IsHandedOver"/>. The caller flushes the connection. Called by the thread
    /// that runs the queue.
    /// </summary>
    public GroupStart Start(OutgoingCall call)
    {
        (IsHandedOver, _hasNoRoom) = (false, false);
        if (call.Due != Clock.Never) call.StartedAt = connection.Clock.Now;
        var (body, length) = (call.Body, call.BodyLength);
        (call.Bound, call.Body) = (this, null);
        bool isStarted;
        try
        {
            var request = body.AsSpan(0, body is null ? 0 : length);
            isStarted = connection.Initiator.TryStart(call, request, default(IStartRule.SentLater));
            IsHandedOver = isStarted && !_hasNoRoom;
        }
        catch (Exception) when (NotesHandOver(call))
        {
            throw; // not reached: the filter only notes
        }
        finally
        {
            if (!IsHandedOver) (call.Body, call.BodyLength) = (body, length);
            else if (body is not null) BufferPool.Return(body);
        }

        if (!isStarted) return GroupStart.Gone;
        if (!IsHandedOver) return GroupStart.NoRoom;
        CallRoute.CancelIfRequested(call);
        return GroupStart.Appended;
    }

    /// <summary>
    /// Notes whether the connection decides the call that it was given when an exception came. As an exception filter,
    /// this runs before the thread leaves the connection's lock. Behind the lock, the call may be over, and its object
    /// reused; under it, nothing but the append itself has touched the call.
    /// </summary>
    private bool NotesHandOver(OutgoingCall call)
    {
        IsHandedOver = !connection.Gate.IsHeldByCurrentThread || call is { Place: CallPlace.Open, IsOneWay: false };
        return false;
    }

    /// <summary>Fails a call that is not in the queue.</summary>
    public void Miss(OutgoingCall call, MuxMissReason reason)
    {
        if (reason == MuxMissReason.Disconnected) calls.OnUnsent(call, failure: null);
        else calls.Fail(call, FailureOf(reason, call));
    }

    /// <inheritdoc/>
    public override bool TryCancel(OutgoingCall call)
    {
        if (!take(call, out bool isTaken)) return false;
        if (isTaken) calls.Fail(call, s_cancelled);
        return true;
    }

    /// <inheritdoc/>
    public override void LetGo(OutgoingCall call)
    {
        // What waits here has had no attempt, and is handed over by the queue alone.
    }

    /// <inheritdoc/>
    public override bool TryGiveUp(CallId id, CallFailure failure) => false;

    /// <inheritdoc/>
    public override uint PeersReplyFingerprintOf(MethodDescriptor method) => 0;

    /// <inheritdoc/>
    public override void OnUserCodeFailed(Exception error) => calls.OnUserCodeFailed(error);

    void IBoundCalls.OnNoRoom(OutgoingCall call, ReadOnlySpan<byte> body) => _hasNoRoom = true;

    void IBoundCalls.OnUnsent(OutgoingCall call, CallFailure? failure) => calls.OnUnsent(call, failure);

    private static CallFailure FailureOf(MuxMissReason reason, OutgoingCall call) => reason switch
    {
        MuxMissReason.NoMemory => s_noMemory,
        MuxMissReason.QueueFull => s_full,
        _ => call.Due == Clock.Never ? s_stuck : s_expired,
    };

    private static CallFailure Refusal(string text) => new(MuxStatus.ResourceExhausted, MuxExecution.NotExecuted, MuxCallPhase.Queue, text);
}

/// <summary>
/// The peers of one server that calls go to by the name of the user or by id, at all servers. Each connected user has a channel, and all ids of
/// this process have one, which <see cref="PeerInbox"/> subscribes to. Safe for concurrent use.
/// </summary>
internal sealed class ListedPeers
{
    private const int LongestName = 1024; // characters

    private readonly PeerSet _peers;
    private PeerEnvironment? _noted; // counts the calls

    public ListedPeers(GroupKind kind, PeerSet peers)
    {
        (Kind, _peers) = (kind, peers);
        if (kind.Relay is { } relay) peers.Tell(new PeerInbox(this, relay));
    }

    public GroupKind Kind { get; }

    /// <summary>Where calls come to peers of this process by their ids.</summary>
    public string OwnIds => ChannelOfIds(PeerEnvironment.Process);

    /// <summary>True if a user of this name can be called. Names come from credentials, and may be any text.</summary>
    public static bool IsUsable(string user) => user.Length is > 0 and <= LongestName;

    /// <summary>Where calls to a user come.</summary>
    public string ChannelOf(string user) => $"peers:{Kind.Counters.Name}:user:{user}";

    /// <summary>Where calls come to some ids that are not of this server, each process once.</summary>
    public string[] ChannelsOf(IEnumerable<string> ids) =>
        [.. ids.Where(id => _peers.Find(id) is null).Select(PeerEnvironment.ProcessOf).Distinct(StringComparer.Ordinal).Select(ChannelOfIds)];

    /// <summary>Gets the peers of users in this process.</summary>
    public GroupMember[] OfUsers(IEnumerable<string> users) => [.. users.SelectMany(_peers.OfUser).Select(Of)];

    /// <summary>Gets the peers in this process that have some ids.</summary>
    public GroupMember[] WithIds(IEnumerable<string> ids) => [.. ids.Select(_peers.Find).OfType<MuxPeer>().Select(Of)];

    private string ChannelOfIds(string process) => $"peers:{Kind.Counters.Name}:ids:{process}";

    private GroupMember Of(MuxPeer peer)
    {
        if (peer is ConnectionPeer { Environment: var environment } && !ReferenceEquals(environment, Volatile.Read(ref _noted)))
        {
            foreach (var method in Kind.Methods.All) environment.Note(method.Called.Descriptor);
            Volatile.Write(ref _noted, environment);
        }

        return GroupMember.Of(peer);
    }
}

/// <summary>All connections of some users.</summary>
/// <param name="peers">The peers.</param>
/// <param name="users">The names, each once.</param>
internal sealed class UserTarget(ListedPeers peers, string[] users) : GroupTarget(peers.Kind)
{
    public static GroupLabel LabelOf(GroupKind kind, params string[] users) => new(kind.Counters.Name, "user " + string.Join(", ", users));

    protected override string[] Names() => [.. users.Select(peers.ChannelOf)];

    protected override GroupMember[] MembersNow(out GroupLabel? label)
    {
        var members = peers.OfUsers(users);
        label = members.Length > 0 ? LabelOf(Kind, users) : null;
        return members;
    }
}

/// <summary>The peers with some ids.</summary>
/// <param name="peers">The peers.</param>
/// <param name="ids">The ids.</param>
internal sealed class IdTarget(ListedPeers peers, GroupExcept ids) : GroupTarget(peers.Kind)
{
    protected override GroupExcept? Addressed => ids;

    public static GroupLabel LabelOf(GroupKind kind) => new(kind.Counters.Name, "by id");

    protected override string[] Names() => peers.ChannelsOf(ids.Ids);

    protected override GroupMember[] MembersNow(out GroupLabel? label)
    {
        var members = peers.WithIds(ids.Ids);
        label = members.Length > 0 ? LabelOf(Kind) : null;
        return members;
    }
}

/// <summary>
/// Subscribes to the calls that other servers make to peers of this one: to those of each connected user, and while at least one is, to those by id.
/// Subscriptions are made and ended by one work item after the other: connections open and end on threads that must not meet a backplane of users.
/// </summary>
/// <param name="peers">The peers.</param>
/// <param name="relay">Carries the calls.</param>
internal sealed class PeerInbox(ListedPeers peers, GroupRelay relay) : IPeerListing, IThreadPoolWorkItem
{
    private readonly Lock _gate = new(); // after that of the list of peers; guards the fields below
    private readonly Dictionary<string, int> _peersOf = new(StringComparer.Ordinal); // how many peers each channel is for
    private readonly Queue<(string Channel, string? User)> _changed = [];
    private bool _isRunning;

    private readonly Dictionary<string, IDisposable> _subscriptions = new(StringComparer.Ordinal); // of the work item

    public void OnListed(string? user) => Count(user, 1);

    public void OnUnlisted(string? user) => Count(user, -1);

    void IThreadPoolWorkItem.Execute()
    {
        while (true)
        {
            (string Channel, string? User) next;
            bool isWanted;
            lock (_gate)
            {
                _isRunning = _changed.TryDequeue(out next);
                if (!_isRunning) return;
                isWanted = _peersOf.ContainsKey(next.Channel);
            }

            try
            {
                if (!isWanted && _subscriptions.Remove(next.Channel, out var subscription)) subscription.Dispose();
                if (isWanted && !_subscriptions.ContainsKey(next.Channel)) _subscriptions.Add(next.Channel, Subscribe(next.Channel, next.User));
            }
            catch (Exception)
            {
                // A backplane that has ended, which says so itself. The next change of the channel tries again.
            }
        }
    }

    private void Count(string? user, int change)
    {
        lock (_gate)
        {
            CountLocked(peers.OwnIds, null, change);
            if (user is not null && ListedPeers.IsUsable(user)) CountLocked(peers.ChannelOf(user), user, change);
            if (_isRunning || _changed.Count == 0) return;
            _isRunning = true;
        }

        EnginePool.Queue(this);
    }

    private void CountLocked(string channel, string? user, int change)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        int before = _peersOf.GetValueOrDefault(channel), after = before + change;
        if (after == 0) _peersOf.Remove(channel);
        else _peersOf[channel] = after;
        if (before == 0 || after == 0) _changed.Enqueue((channel, user));
    }

    private IDisposable Subscribe(string channel, string? user) => relay.Subscribe(channel, message =>
    {
        if (!GroupArrival.TryRead(peers.Kind, channel, message, out var arrival)) return;
        if (user is not null) arrival.Deliver(peers.Kind, peers.OfUsers([user]), UserTarget.LabelOf(peers.Kind, user), arrival.Envelope.Except);
        else if (arrival.Envelope.Except is { } ids) arrival.Deliver(peers.Kind, peers.WithIds(ids.Ids), IdTarget.LabelOf(peers.Kind), except: null);
    });
}
