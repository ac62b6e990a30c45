using Mux.Engine;
using Mux.Runtime;

namespace Mux.Client;

/// <summary>Gives each call to the open connection of a pool with the fewest calls. Safe for concurrent use.</summary>
/// <remarks>
/// It does not ask which calls the peers have said that they take (LEASE). Usually all connections lead to one server, whose word is the same on each; whether
/// its endpoint is chosen at all, the router decides. Behind a virtual address they may lead to several servers. One that is about to stop serves what comes
/// until it drains, and what is not sent by then moves, so no call is lost. One that refuses a priority answers such calls without executing them.
/// </remarks>
internal sealed class LeastLoadedChoice(ConnectionPool pool)
{
    /// <summary>More than any load: a connection without windows for a stream is chosen only if all lack them.</summary>
    private const int Full = 1 << 24;

    /// <summary>Picks the connection for the next call. Null if the pool is disposed.</summary>
    /// <param name="call">The call.</param>
    public Connection? Pick(OutgoingCall call)
    {
        bool isStream = call.Called.HasStreams;
        if (pool.IsDisposed) return null;
        var slots = pool.Slots;
        if (slots.Length == 1) return (slots[0].Current ?? pool.DialIfEmpty(slots[0]))?.Connection; // there is no choice

        // A continuation that starts its next call stays on the connection of its reply, whose turn flushes for it, unless another one has fewer calls.
        var own = Turn.Owner is Connection { TakesCalls: true, Owner: PooledConnection pooledOwn } && pooledOwn.Pool == pool ? pooledOwn : null;
        if (own is not null && !isStream && own.TryStay()) return own.Connection;
        PooledConnection? best = own;
        int bestLoad = own is null ? int.MaxValue : LoadOf(own.Connection, isStream), nextLoad = int.MaxValue;
        bool hasEmpty = false;
        foreach (var slot in slots)
        {
            if (slot.Current is not { } pooled)
            {
                hasEmpty = true;
                continue;
            }

            var connection = pooled.Connection;
            if (pooled == own || connection.State != ConnectionState.Open || !connection.TakesCalls) continue;
            int load = LoadOf(connection, isStream);
            nextLoad = Math.Min(nextLoad, load);
            if (load >= bestLoad) continue;
            best = pooled;
            bestLoad = load;
        }

        if (best is null) return pool.FindUnopened();
        if (hasEmpty && bestLoad > 0) pool.DialFirstEmpty(); // for later calls: this one does not wait for it
        if (best == own && !isStream) own?.StayUpTo(nextLoad);
        return best.Connection;
    }

    private static int LoadOf(Connection connection, bool isStream) =>
        connection.Initiator.Load + (isStream && connection.Initiator.Streams.IsFull ? Full : 0);
}

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
