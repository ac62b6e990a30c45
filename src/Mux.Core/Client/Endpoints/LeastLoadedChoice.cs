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
