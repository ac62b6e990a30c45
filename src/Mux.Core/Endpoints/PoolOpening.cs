using Mux.Sessions.Lifecycle;

namespace Mux.Endpoints;

/// <summary>A caller waits until every place of a pool has had an open connection. Guarded by the pool's lock, but for <see cref="Outcome"/>.</summary>
internal sealed class PoolOpening(int slots)
{
    private readonly TaskCompletionSource<ConnectionEnd?> _outcome = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly bool[] _opened = new bool[slots];
    private ConnectionEnd? _failure;
    private int _left = slots;

    /// <summary>Completes with null when all are open, or with how the first that failed ended.</summary>
    public Task<ConnectionEnd?> Outcome => _outcome.Task;

    /// <summary>Whether a connection is to be dialed there.</summary>
    public bool Awaits(PoolSlot slot) => _failure is null && !_opened[slot.Index];

    /// <summary>A connection of the place is open.</summary>
    public void OnOpened(PoolSlot slot)
    {
        if (_opened[slot.Index]) return;
        _opened[slot.Index] = true;
        _left--;
    }

    /// <summary>A connection ended before it was open.</summary>
    public void OnFailed(ConnectionEnd end) => _failure ??= end;

    /// <summary>Decides it if it is over.</summary>
    /// <param name="dialing">Connections that are being dialed: after a failure their ends are awaited, so that nothing is under way when the caller hears of
    /// it.</param>
    /// <returns>Whether it is over.</returns>
    public bool TryComplete(int dialing)
    {
        if (_left > 0 && (_failure is null || dialing > 0)) return false;
        _outcome.TrySetResult(_left == 0 ? null : _failure);
        return true;
    }
}
