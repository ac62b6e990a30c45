using Mux.Sessions.Lifecycle;

namespace Mux.Endpoints;

/// <summary>Chooses the connection of a pool for the calls of a key: the same one while its connections stay. Safe for concurrent use.</summary>
internal sealed class KeyedChoice(ConnectionPool pool)
{
    /// <summary>Picks a connection. Null if the pool is disposed.</summary>
    /// <param name="key">The hash of the key.</param>
    public PooledConnection? Pick(ulong key)
    {
        if (pool.IsDisposed) return null;
        var slots = pool.Slots;
        if (slots.Length == 1) return slots[0].Current ?? pool.DialIfEmpty(slots[0]);
        int first = (int)(key % (ulong)slots.Length);
        for (int i = 0; i < slots.Length; i++)
        {
            if (slots[(first + i) % slots.Length].Current is not { } pooled) continue;
            if (pooled.Connection is not { State: ConnectionState.Open, TakesCalls: true }) continue;
            if (i > 0) pool.DialFirstEmpty(); // for later calls: this one does not wait for the connection of its key
            return pooled;
        }

        return pool.FindUnopened()?.Owner as PooledConnection;
    }
}
