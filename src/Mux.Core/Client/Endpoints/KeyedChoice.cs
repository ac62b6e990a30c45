using Mux.Engine;

namespace Mux.Client;

/// <summary>
/// Chooses the connection of a pool for the calls of a key by rendezvous hashing (Thaler and Ravishankar, "Using name-based mappings to increase hit rates",
/// 1998): a connection that comes or goes moves only the keys that it gets or had. Safe for concurrent use.
/// </summary>
internal sealed class KeyedChoice(ConnectionPool pool)
{
    /// <summary>Picks a connection. Null if the pool is disposed.</summary>
    /// <param name="key">The hash of the key.</param>
    public PooledConnection? Pick(ulong key)
    {
        if (pool.IsDisposed) return null;
        var slots = pool.Slots;
        if (slots.Length == 1) return slots[0].Current ?? pool.DialIfEmpty(slots[0]);
        PooledConnection? best = null;
        ulong bestScore = 0, highest = 0;
        foreach (var slot in slots)
        {
            ulong score = ScoreOf(key, slot.Index);
            highest = Math.Max(highest, score);
            if (slot.Current is not { Connection: { State: ConnectionState.Open, TakesCalls: true } } pooled) continue;
            if (best is null || score > bestScore) (best, bestScore) = (pooled, score);
        }

        if (best is null) return pool.FindUnopened()?.Owner as PooledConnection;
        if (bestScore != highest) pool.DialFirstEmpty(); // for later calls: this one does not wait for the connection of its key
        return best;
    }

    /// <summary>Mixes key and slot: the last steps of MurmurHash3 (https://github.com/aappleby/smhasher, MurmurHash3.cpp, fmix64).</summary>
    internal static ulong ScoreOf(ulong key, int slot)
    {
        ulong mixed = key ^ (ulong)(slot + 1) * 0x9E3779B97F4A7C15;
        mixed = (mixed ^ mixed >> 33) * 0xFF51AFD7ED558CCD;
        mixed = (mixed ^ mixed >> 33) * 0xC4CEB9FE1A85EC53;
        return mixed ^ mixed >> 33;
    }
}
