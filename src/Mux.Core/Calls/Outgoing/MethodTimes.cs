namespace Mux.Calls;

/// <summary>How long the calls of one method take on one channel, whichever of its proxies makes them. Safe for concurrent use.</summary>
internal sealed class MethodTimes
{
    private readonly Lock _gate = new(); // guards the histogram
    private readonly HedgeDelay _delay = new();

    /// <summary>Adds the duration of a call that succeeded, in microseconds.</summary>
    public void Add(long microseconds)
    {
        lock (_gate) _delay.Add(microseconds);
    }

    /// <inheritdoc cref="HedgeDelay.TryGet"/>
    public bool TryGetDelay(out long microseconds)
    {
        lock (_gate) return _delay.TryGet(out microseconds);
    }
}
