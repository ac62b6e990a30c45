namespace Mux.Runtime;

/// <summary>Counters of a loop. Only the leader writes them; any thread may read them.</summary>
internal sealed class LoopCounters
{
    private long _wakes;
    private long _deliveries;

    /// <summary>Waits that found events.</summary>
    public long Wakes => Volatile.Read(ref _wakes);

    /// <summary>Blocks of received bytes passed to handlers.</summary>
    public long Deliveries => Volatile.Read(ref _deliveries);

    public void AddWake() => Volatile.Write(ref _wakes, _wakes + 1);

    public void AddDelivery() => Volatile.Write(ref _deliveries, _deliveries + 1);
}
