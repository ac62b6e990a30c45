using Mux.Sessions.Lifecycle;

namespace Mux.Endpoints;

/// <summary>A caller's wait until every slot of a pool has had an open connection. Guarded by the pool's lock, except <see cref="Outcome"/>.</summary>
internal sealed class PoolOpening(int slots)
{
    private readonly TaskCompletionSource<ConnectionEnd?> _outcome = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly bool[] _opened = new bool[slots];
    private ConnectionEnd? _failure;
    private int _left = slots;

    /// <summary>Completes with null when all are open, or with the end of the first that failed.</summary>
    public Task<ConnectionEnd?> Outcome => _outcome.Task;

    /// <summary>True if the slot must be dialed.</summary>
    public bool Awaits(int slot) => _failure is null && !_opened[slot];

    /// <summary>A connection of the slot is open.</summary>
    public void OnOpened(int slot)
    {
        if (_opened[slot]) return;
        _opened[slot] = true;
        _left--;
    }

    /// <summary>A connection ended before it was open.</summary>
    public void OnFailed(ConnectionEnd end) => _failure ??= end;

    /// <summary>Completes the wait if it is over.</summary>
    /// <param name="dialing">
    /// Number of connections being dialed. After a failure their ends are awaited, so that nothing is pending when the caller learns of it.
    /// </param>
    /// <returns>True if the wait is over.</returns>
    public bool TryComplete(int dialing)
    {
        if (_left > 0 && (_failure is null || dialing > 0)) return false;
        _outcome.TrySetResult(_left == 0 ? null : _failure);
        return true;
    }
}
