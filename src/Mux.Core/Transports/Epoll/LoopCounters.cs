namespace Mux.Transports.Epoll;

/// <summary>What a loop has done so far. Written by its leader alone, read by anybody.</summary>
internal sealed class LoopCounters
{
    private long _wakes;
    private long _deliveries;

    /// <summary>Waits that found events.</summary>
    public long Wakes => Volatile.Read(ref _wakes);

    /// <summary>Pieces of received bytes given to handlers.</summary>
    public long Deliveries => Volatile.Read(ref _deliveries);

    public void AddWake() => Volatile.Write(ref _wakes, _wakes + 1);

    public void AddDelivery() => Volatile.Write(ref _deliveries, _deliveries + 1);
}
