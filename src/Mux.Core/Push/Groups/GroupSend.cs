namespace Mux.Push;

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
