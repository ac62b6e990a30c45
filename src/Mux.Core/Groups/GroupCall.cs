using Mux.Buffers;
using Mux.Lanes;
using Mux.Sessions.Calls;
using Mux.Timing;
using Mux.Topics;

namespace Mux.Groups;

/// <summary>
/// A one-way call on its way to many peers: its encoded request is handed to one after the other. A connection is done with the object when it has appended the
/// request or refused it, so one object serves all of them, and is reused. It belongs to the thread that makes the call.
/// </summary>
/// <remarks>
/// To a few members the thread sends itself, as for other calls. For more it only appends: a send costs 3 us, so a thousand would hold the caller, and often a
/// turn, for 3 ms. Sweeps of the <see cref="FanOut"/> send, and what further calls append meanwhile leaves with the same sends.
/// </remarks>
internal sealed class GroupCall : OutgoingCall, IBoundCalls
{
    /// <summary>Members to which the caller sends.</summary>
    private const int MostSentHere = 8;

    /// <summary>Members after which sweeps begin, while the call is handed to the others.</summary>
    private const int Portion = 256;

    private static readonly CallFailure s_noPlace =
        new(MuxStatus.ResourceExhausted, MuxExecution.NotExecuted, MuxCallPhase.Queue, "A member of a group misses a call.");

    private long _deadline;
    private int _delivered;

    private GroupCall()
    {
        Bound = this;
    }

    /// <summary>A member without a place misses the call: neither its name nor the reason is of use to the caller.</summary>
    public CallFailure NoPlace => s_noPlace;

    public static GroupCall Rent(GroupMethod method)
    {
        var call = ObjectPool<GroupCall>.Shared.TryRent() ?? new GroupCall();
        call.SetMethod(method.Called);
        (call.Options, call._deadline, call._delivered) = (method.Options, method.Deadline, 0);
        return call;
    }

    /// <summary>Sets the time that members have; null for that of the method.</summary>
    public void SetTimeout(TimeSpan? timeout)
    {
        if (timeout is { } chosen) _deadline = Math.Max(0, (long)Math.Ceiling(chosen.TotalMicroseconds));
    }

    /// <summary>Hands the call to members.</summary>
    /// <param name="members">The members.</param>
    /// <param name="except">One of them that does not get it; null if all do.</param>
    /// <param name="body">The encoded request; of a large one, nothing.</param>
    /// <param name="bulk">The encoded request if it is large: all connections share its memory.</param>
    /// <param name="fanOut">Sends, if there are many members.</param>
    /// <returns>Number of members that it was handed to.</returns>
    public int HandTo(ReadOnlySpan<GroupMember> members, GroupMember? except, ReadOnlySpan<byte> body, BulkMessage? bulk, FanOut fanOut)
    {
        IsSentLater = members.Length > MostSentHere;
        GroupMember? first = null, last = null;
        int marked = 0;
        foreach (var member in members)
        {
            if (member == except || member.Connection is not { } connection) continue;
            if (_deadline != Clock.Never) SetDeadline(connection.Clock.Now, _deadline);
            if (bulk is not null) Bulk ??= bulk.Share();
            int before = _delivered;
            connection.Initiator.TryStart(this, body); // false if it takes no calls: then the call is untouched
            Flow = null;
            if (!IsSentLater || _delivered == before || !member.TryMark()) continue;
            if (last is null) first = member;
            else last.Next = member;
            last = member;
            if (++marked < Portion) continue;
            fanOut.Add(first!, last, marked);
            (first, last, marked) = (null, null, 0);
        }

        if (last is not null) fanOut.Add(first!, last, marked);
        return _delivered;
    }

    /// <summary>Ends the call.</summary>
    public void Return()
    {
        CallQueue.ReleaseBody(this); // its share of a large request, which the last member did not take
        Forget();
        Bound = this;
        ObjectPool<GroupCall>.Shared.Return(this);
    }

    public override void OnAppended() => _delivered++;

    public override void OnFailed(CallFailure failure, bool inTurn)
    {
        // The member misses it.
    }

    public override void OnResponse(ReadOnlySpan<byte> body, CallTally tally)
    {
        // The slot holds what stands for all one-way calls: no reply comes here.
    }

    void IBoundCalls.OnUnsent(OutgoingCall call, CallFailure? failure)
    {
        // A one-way call has its outcome when it is appended, and none waits.
    }
}
