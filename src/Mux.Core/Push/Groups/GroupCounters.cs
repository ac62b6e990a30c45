using Mux.Telemetry;

namespace Mux.Push;

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
