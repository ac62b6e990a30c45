using Mux.Diagnostics;

namespace Mux.Groups;

/// <summary>What all groups of one kind have done and have. Any thread.</summary>
/// <param name="name">Their name in metrics.</param>
internal sealed class GroupCounters(string name) : IGroupReadings
{
    private long _calls;
    private long _delivered;
    private long _missed;
    private int _members;
    private int _groups;

    public string Name => name;

    public long Calls => Volatile.Read(ref _calls);

    public long Delivered => Volatile.Read(ref _delivered);

    public long Missed => Volatile.Read(ref _missed);

    public int Members => Volatile.Read(ref _members);

    public int Groups => Volatile.Read(ref _groups);

    public void OnCall() => Interlocked.Increment(ref _calls);

    /// <summary>Counts a call for each member that it was for, once per call.</summary>
    public void OnHandedOver(int delivered, int missed)
    {
        if (delivered > 0) Interlocked.Add(ref _delivered, delivered);
        if (missed > 0) Interlocked.Add(ref _missed, missed);
    }

    public void OnJoined() => Interlocked.Increment(ref _members);

    public void OnLeft() => Interlocked.Decrement(ref _members);

    public void OnGroupMade() => Interlocked.Increment(ref _groups);

    public void OnGroupForgotten() => Interlocked.Decrement(ref _groups);
}
