using Mux.Engine;

namespace Mux.Client;

/// <summary>A caller's wait until every slot of a pool has had an open connection. Guarded by the pool's lock, except <see cref="Outcome"/>.</summary>
/// <param name="unopened">Indexes of the slots without an open connection.</param>
internal sealed class PoolOpening(IEnumerable<int> unopened)
{
    private readonly TaskCompletionSource<ConnectionEnd?> _outcome = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly HashSet<int> _left = [.. unopened];
    private ConnectionEnd? _failure;

    /// <summary>Completes with null when all are open, or with the end of the first that failed.</summary>
    public Task<ConnectionEnd?> Outcome => _outcome.Task;

    /// <summary>True if the slot must be dialed.</summary>
    public bool Awaits(int slot) => _failure is null && _left.Contains(slot);

    /// <summary>A connection of the slot is open, or the slot is gone.</summary>
    public void Forget(int slot) => _left.Remove(slot);

    /// <summary>A connection ended before it was open.</summary>
    public void OnFailed(ConnectionEnd end) => _failure ??= end;

    /// <summary>Completes the wait if it is over.</summary>
    /// <param name="dialing">
    /// Number of connections being dialed. After a failure their ends are awaited, so that nothing is pending when the caller learns of it.
    /// </param>
    /// <returns>True if the wait is over.</returns>
    public bool TryComplete(int dialing)
    {
        if (_left.Count > 0 && (_failure is null || dialing > 0)) return false;
        _outcome.TrySetResult(_left.Count == 0 ? null : _failure);
        return true;
    }
}
