namespace Mux.Groups;

/// <summary>
/// One call of a group as its caller waits for it: until it is in the queue of each member, or the member misses it. Safe for concurrent use.
/// </summary>
internal sealed class GroupSend
{
    private readonly TaskCompletionSource _placed = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _waits = 1; // members that have no room yet, and the thread that hands the call to all

    /// <summary>Waits for all members.</summary>
    /// <exception cref="OperationCanceledException">The caller waits no longer. Members may still get the call.</exception>
    public ValueTask WaitAsync(CancellationToken cancellationToken) =>
        _placed.Task.IsCompleted ? default : new ValueTask(_placed.Task.WaitAsync(cancellationToken));

    /// <summary>One more member has no room yet.</summary>
    public void OnWaits() => Interlocked.Increment(ref _waits);

    /// <summary>It is known what becomes of the call at one member, or all have been asked.</summary>
    public void OnDecided()
    {
        if (Interlocked.Decrement(ref _waits) == 0) _placed.TrySetResult();
    }
}
