using System.Text;
using Mux.Diagnostics;

namespace Mux.Groups;

/// <summary>
/// What one member has to do with the groups of one kind: what of its queue is theirs, and what it has missed. Guarded by the lock of the queue, except where
/// stated.
/// </summary>
internal sealed class GroupShare(GroupKind kind)
{
    private readonly long[] _untold = new long[MissReasons.Length];

    public GroupKind Kind => kind;

    /// <summary>Calls in the queue, without those that callers wait for.</summary>
    public int Calls { get; set; }

    /// <summary>Their bytes, with <see cref="GroupQueue.CallCharge"/> for each.</summary>
    public long Bytes { get; set; }

    /// <summary>Calls behind the queue, whose callers wait for room.</summary>
    public int WaitingCalls { get; set; }

    public long WaitingBytes { get; set; }

    /// <summary>The first call that a caller waits for; null if there is none.</summary>
    public GroupEntry? FirstWaiting { get; set; }

    /// <summary>When the queue was full, and has not fallen to its half since; 0 if it is not so.</summary>
    public long FullSince { get; set; }

    /// <summary>Ends the wait of callers; armed while <see cref="FullSince"/> is set and some wait.</summary>
    public ITimer? Patience { get; set; }

    /// <summary>Tells what was missed since the last report; armed for a minute after each.</summary>
    public ITimer? Report { get; set; }

    public bool IsReportArmed { get; set; }

    /// <summary>What the member said when it last refused a call; null if it never did.</summary>
    public string? Refusal { get; set; }

    /// <summary>The group whose call was missed last.</summary>
    public GroupLabel? Group { get; set; }

    /// <summary>True if a call of this size has no room in the queue. One of any size fits in an empty one, unless there is none at all.</summary>
    public bool IsFullFor(long bytes) => WaitingCalls > 0 || (Calls == 0 ? kind.QueuedBytes == 0 : Bytes + bytes > kind.QueuedBytes);

    /// <summary>Gets for how many microseconds callers wait for room, while <see cref="FullSince"/> is set.</summary>
    public long PatienceAt(long now) => Math.Max(0, FullSince + kind.WaitTimeout - now);

    public void AddMiss(GroupLabel group, MuxMissReason reason, int count)
    {
        Group = group;
        _untold[(int)reason] += count;
    }

    /// <summary>Takes what is to be reported.</summary>
    /// <returns>Null if nothing was missed since the last report.</returns>
    public GroupMisses? TakeUntold()
    {
        long count = _untold.Sum();
        if (count == 0) return null;
        var reasons = new StringBuilder();
        foreach (var reason in MissReasons.All)
        {
            if (_untold[(int)reason] == 0) continue;
            if (reasons.Length > 0) reasons.Append(", ");
            reasons.Append(_untold[(int)reason]).Append(' ').Append(MissReasons.NameOf(reason));
            if (reason == MuxMissReason.Refused && Refusal is not null) reasons.Append(" (").Append(Refusal).Append(')');
        }

        bool isDeparture = count == _untold[(int)MuxMissReason.Disconnected];
        Array.Clear(_untold);
        return new GroupMisses(Group!, count, reasons.ToString(), isDeparture);
    }

    public void EndTimers()
    {
        Patience?.Dispose();
        Report?.Dispose();
        (Patience, Report) = (null, null);
    }
}

/// <summary>What one member has missed of one kind of groups, for a log.</summary>
/// <param name="Group">The group whose call was the last.</param>
/// <param name="Count">Number of calls.</param>
/// <param name="Reasons">How many for which reason, as a text.</param>
/// <param name="IsDeparture">True if the end of its connection is the only reason.</param>
internal sealed record GroupMisses(GroupLabel Group, long Count, string Reasons, bool IsDeparture);

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
