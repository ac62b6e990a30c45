using Mux.Engine;
using Mux.Runtime;

namespace Mux.Push;

/// <summary>A call in the queue of a member. Guarded by the lock of the queue until it is taken out.</summary>
internal sealed class GroupEntry
{
    public GroupShare Share { get; set; } = null!;

    public GroupLabel Group { get; set; } = null!;

    /// <summary>The call; null if it is <see cref="Call"/>.</summary>
    public GroupMessage? Message { get; set; }

    /// <summary>The call to the member alone; null if it is one of a group.</summary>
    public OutgoingCall? Call { get; set; }

    /// <summary>Bytes that it counts.</summary>
    public long Charge { get; set; }

    /// <summary>When it expires, on the clock of the connection.</summary>
    public long Due { get; set; } = Clock.Never;

    /// <summary>What learns that it has a place in the queue; null once it has, and if it had one at once.</summary>
    public GroupSend? Send { get; set; }

    /// <summary>Since when its caller waits, if it does.</summary>
    public long WaitsSince { get; set; }

    /// <summary>True while a thread hands it over: no other may take it out.</summary>
    public bool IsStarting { get; set; }

    public GroupEntry? Next { get; set; }

    public GroupEntry? Previous { get; set; }

    /// <summary>Rents one for a call of a group, which it holds.</summary>
    public static GroupEntry Rent(GroupLabel group, GroupMessage message, long charge, long due)
    {
        message.Hold();
        var entry = ObjectPool<GroupEntry>.Shared.TryRent() ?? new GroupEntry();
        (entry.Group, entry.Message, entry.Charge, entry.Due) = (group, message, charge, due);
        return entry;
    }

    /// <summary>Rents one for a call to the member alone.</summary>
    public static GroupEntry Rent(GroupLabel label, OutgoingCall call, long charge)
    {
        var entry = ObjectPool<GroupEntry>.Shared.TryRent() ?? new GroupEntry();
        (entry.Group, entry.Call, entry.Charge, entry.Due) = (label, call, charge, call.Due);
        return entry;
    }

    /// <summary>Takes the memory of a call. It gets that of the calls that were dropped for it, or it would be lost together with them.</summary>
    /// <param name="memory">The memory of the connection; null if it is not limited.</param>
    /// <param name="charge">Bytes that the call counts.</param>
    /// <param name="dropped">The first of what was taken out for it; released when the call is in the queue.</param>
    public static bool TryTakeMemory(MemoryShare? memory, long charge, GroupEntry? dropped)
    {
        if (memory is null) return true;
        long freed = 0;
        for (; dropped is not null; dropped = dropped.Next) freed += dropped.Charge;
        if (freed < charge) return memory.TryTake(charge) == MemoryVerdict.Granted;
        memory.Take(charge);
        return true;
    }

    /// <summary>
    /// Hands the call to the connection of the member. Called by the thread that runs the queue. After an exception, such
    /// as for lack of memory, the connection may have a part of the call: it ends, and the member misses what waits.
    /// </summary>
    /// <param name="lone">The calls to the member alone, if there are any.</param>
    /// <param name="connection">The connection of the member.</param>
    /// <param name="room">Is told of room if there is none.</param>
    /// <param name="refusal">What the member says of a call that it refuses; otherwise null.</param>
    public GroupStart Start(LoneCalls? lone, Connection connection, IRoomWatch room, out string? refusal)
    {
        refusal = null;
        try
        {
            return Call is { } call ? lone!.Start(call) : GroupCall.Start(this, connection, room, out refusal);
        }
        catch (Exception error)
        {
            bool isHandedOver = Call is not null && lone!.IsHandedOver; // then it has its outcome, or gets it from the end
            var text = $"A call could not be handed to the connection: {error.Message}";
            connection.Abort(new ConnectionEnd(CloseReason.Internal, text, error));
            return isHandedOver ? GroupStart.Appended : GroupStart.Gone;
        }
    }

    /// <summary>Lets go of the call of a group. The entry is in no queue.</summary>
    public void Return()
    {
        Message?.LetGo();
        (Share, Group, Message, Call, Send, Next, Previous) = (null!, null!, null, null, null, null, null);
        IsStarting = false;
        ObjectPool<GroupEntry>.Shared.Return(this);
    }
}

/// <summary>Names a group for people.</summary>
/// <param name="kind">The name of its kind.</param>
/// <param name="key">Its key, whose text is made when it is needed: that is user code.</param>
internal sealed class GroupLabel(string kind, object? key)
{
    public override string ToString()
    {
        if (key is null or "") return kind;
        try
        {
            return $"{kind}[{key}]";
        }
        catch (Exception)
        {
            return $"{kind}[a key without a text]";
        }
    }
}

/// <summary>What becomes of a call that has found no room.</summary>
internal enum QueuePlace
{
    /// <summary>It is in the queue, behind others.</summary>
    Queued,

    /// <summary>It is in the queue, which was empty: the caller runs it.</summary>
    First,

    /// <summary>Its caller waits until it is in the queue.</summary>
    Waiting,

    /// <summary>The member misses it, which is counted.</summary>
    Missed,
}
