using Mux.Calls;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;

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
