namespace Mux.Engine;

/// <summary>
/// The credit in items of one stream that this side receives. The sender chooses how many items may be under way, because they age there: in its socket, in the
/// network, and in front of a consumer that is slower than they are made. The window is larger only while the round trip would limit a consumer that keeps up.
/// </summary>
/// <remarks>The turn counts what comes, the consumer what it takes, one thread at a time; grants are written under the connection's lock.</remarks>
internal sealed class ItemWindow
{
    private readonly int _least;
    private long _granted; // since the start; written under the lock
    private long _received; // of the turn
    private long _size;
    private long _taken; // and not returned; of the consumer
    private long _returnedAt; // of the consumer

    /// <param name="items">Items that the sender lets be under way.</param>
    /// <param name="now">The time of the connection.</param>
    public ItemWindow(int items, long now)
    {
        _least = items;
        _granted = _size = items;
        _returnedAt = now;
    }

    public long Granted => Volatile.Read(ref _granted);

    /// <summary>Counts an item that has come. In the turn.</summary>
    /// <returns>False if it came without credit.</returns>
    public bool TryReceive() => _received++ < Granted;

    /// <summary>Counts items that the consumer has taken.</summary>
    /// <returns>True if <see cref="Return"/> is due.</returns>
    public bool OnTaken(int items = 1) => (_taken += items) >= Math.Max(1, Volatile.Read(ref _size) / 2);

    /// <summary>Returns items that reach no consumer. Under the connection's lock.</summary>
    /// <returns>The items.</returns>
    public int ReturnDropped(int items)
    {
        Volatile.Write(ref _granted, _granted + items);
        return items;
    }

    /// <summary>Returns what was taken. Under the connection's lock, by the consumer.</summary>
    /// <param name="now">The time of the connection.</param>
    /// <param name="roundTrip">The shortest round trip seen, microseconds; 0 if none was.</param>
    /// <returns>Items that are granted. 0 if the window becomes smaller by all that was taken.</returns>
    public int Return(long now, long roundTrip)
    {
        // Not more than twice the last one: a few items that were taken at once say nothing of the time between them.
        long wanted = Math.Min(2 * _size, WindowGrowth.Next(_least, _taken, now - _returnedAt, roundTrip));
        int returned = (int)Math.Max(0, _taken + wanted - _size);
        Volatile.Write(ref _size, _size - _taken + returned);
        (_taken, _returnedAt) = (0, now);
        Volatile.Write(ref _granted, _granted + returned);
        return returned;
    }
}
