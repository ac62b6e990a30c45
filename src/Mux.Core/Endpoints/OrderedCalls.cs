using System.Diagnostics;
using Mux.Execution;
using Mux.Sessions.Calls;

namespace Mux.Endpoints;

/// <summary>
/// Keeps the order of calls whose methods have one: all open calls of a key are on one connection, and the key moves to another only while none of its calls is
/// open. If the connection takes no more calls, later calls of the key are held until then. Safe for concurrent use.
/// </summary>
/// <remarks>
/// <para>Keys share buckets, which move as a whole. So nothing is kept per key, and the memory is fixed.</para>
/// <para>A call that a connection gives back unsent is not open there any longer. It is started again in its place: <see cref="OutgoingCall.Sequence"/>.</para>
/// </remarks>
/// <param name="route">The route of the calls.</param>
/// <param name="held">Holds calls.</param>
internal sealed class OrderedCalls(IOrderedRoute route, HeldCalls held) : ICallTimer, IThreadPoolWorkItem
{
    private const int BucketBits = 10, LockBits = 5;
    private const int HeldTicket = 1 << BucketBits, LooseTicket = 2 << BucketBits, IndexMask = HeldTicket - 1;

    private readonly Bucket[] _buckets = new Bucket[1 << BucketBits];
    private readonly Lock[] _gates = [.. Enumerable.Range(0, 1 << LockBits).Select(static _ => new Lock())];
    private int _releases; // requested and not done; one thread does them

    private enum Place
    {
        /// <summary>The call is counted on a connection.</summary>
        Open,

        /// <summary>It must be held.</summary>
        Held,

        /// <summary>There is no connection for it.</summary>
        None,
    }

    /// <summary>Number of calls that are held. Any thread.</summary>
    public int Held => held.Count;

    /// <summary>Starts a call on the connection of its key, or holds it.</summary>
    /// <returns>False if there is no connection yet, or none any longer: the call is the route's, and is not kept in order.</returns>
    public bool TryStart(OutgoingCall call, ReadOnlySpan<byte> body)
    {
        int index = IndexOf(call.Key);
        bool wasHeld = call.Timer == this && (call.TimerTicket & HeldTicket) != 0;
        call.ReleaseAtOutcome();
        var pause = default(SpinWait); // while another thread that ended a connection has not yet taken it out of its slot
        while (true)
        {
            var chosen = route.Choose(call); // without the lock: it may dial
            switch (Open(call, index, ref chosen, wasHeld))
            {
                case Place.Open:
                    (call.Timer, call.TimerTicket) = (this, index); // before the start: the call may be over when that returns
                    if (chosen!.Connection.Initiator.TryStart(call, body)) return true;
                    Leave(index);
                    (call.Timer, wasHeld) = (null, false);
                    break;
                case Place.Held:
                    if (TryHold(call, index, body, wasHeld) is { } isHeld) return isHeld;
                    break;
                default:
                    if (wasHeld) End(index | HeldTicket, replied: false);
                    (call.Timer, call.TimerTicket) = (this, index | LooseTicket);
                    return false;
            }

            pause.SpinOnce();
        }
    }

    /// <summary>A connection has given back a call unsent. Before the call is started again.</summary>
    public void OnGivenBack(OutgoingCall call)
    {
        if (call.Timer != this || call.TimerTicket > IndexMask) return;
        int index = call.TimerTicket;
        call.TimerTicket = index | LooseTicket;
        lock (GateOf(index)) _buckets[index].Connection = null; // it would come back to the same connection while that opens
        Leave(index);
    }

    /// <inheritdoc/>
    public void End(int ticket, bool replied)
    {
        int index = ticket & IndexMask;
        if ((ticket & HeldTicket) != 0) lock (GateOf(index)) _buckets[index].Held--;
        else if ((ticket & LooseTicket) == 0) Leave(index);
    }

    /// <summary>Holds no call any longer.</summary>
    /// <returns>Those that were held, linked by <see cref="OutgoingCall.Next"/>: they fail.</returns>
    public OutgoingCall? Close()
    {
        held.Close();
        return held.TakeAll();
    }

    void IThreadPoolWorkItem.Execute() => Release();

    private static int IndexOf(ulong key) => (int)(key >> (64 - BucketBits));

    private Lock GateOf(int index) => _gates[index & (1 << LockBits) - 1];

    /// <summary>Counts a call on the connection of the calls that are open, or on the one that was chosen if none is.</summary>
    private Place Open(OutgoingCall call, int index, ref PooledConnection? chosen, bool wasHeld)
    {
        lock (GateOf(index))
        {
            ref var bucket = ref _buckets[index];
            if (call.Sequence == 0) call.Sequence = ++bucket.Sequence;
            if ((bucket.Held > 0 && !wasHeld) || !bucket.IsFree) return Place.Held;
            if (bucket.Open > 0) chosen = bucket.Connection;
            else bucket.Connection = chosen;
            if (chosen is null) return Place.None;
            bucket.Open++;
            if (wasHeld) bucket.Held--;
            return Place.Open;
        }
    }

    /// <returns>True if the call is held, false if none is held any longer, for the route is over. Null if the call need not wait by now.</returns>
    private bool? TryHold(OutgoingCall call, int index, ReadOnlySpan<byte> body, bool wasHeld)
    {
        lock (GateOf(index))
        {
            ref var bucket = ref _buckets[index];
            if ((bucket.Held == 0 || wasHeld) && bucket.IsFree) return null;
            if (!wasHeld) bucket.Held++;
        }

        (call.Timer, call.TimerTicket) = (this, index | HeldTicket);
        if (!held.TryAdd(call, body))
        {
            call.TimerTicket = index | LooseTicket;
            End(index | HeldTicket, replied: false);
            return false;
        }

        bool isFree;
        lock (GateOf(index)) isFree = _buckets[index].IsFree;
        if (isFree) RequestRelease(); // the last one before it has ended meanwhile, and found none that was held
        return true;
    }

    private void Leave(int index)
    {
        bool mayRelease;
        lock (GateOf(index))
        {
            ref var bucket = ref _buckets[index];
            Debug.Assert(bucket.Open > 0);
            mayRelease = --bucket.Open == 0 && bucket.Held > 0;
            if (bucket.Open == 0) bucket.Connection = null; // keeps no connection that has ended
        }

        if (mayRelease) RequestRelease();
    }

    private void RequestRelease()
    {
        if (Interlocked.Increment(ref _releases) == 1) WorkQueue.OfProcess.Add(this);
    }

    /// <summary>Starts the calls that were held, in the order in which they were handed over. Those that must wait on are held again.</summary>
    private void Release()
    {
        int done;
        do
        {
            done = Volatile.Read(ref _releases);
            List<OutgoingCall> calls = [];
            for (var call = held.TakeAll(); call is not null; call = call.Next) calls.Add(call);
            calls.Sort(static (one, other) => one.Sequence.CompareTo(other.Sequence));
            foreach (var call in calls)
            {
                call.Next = null;
                route.StartAgain(call);
            }
        }
        while (Interlocked.Add(ref _releases, -done) > 0);
    }

    /// <summary>Keys that share a connection. Guarded by the lock of its index.</summary>
    private struct Bucket
    {
        public PooledConnection? Connection; // of the open calls; null while it takes none
        public int Open;
        public int Held;
        public long Sequence; // of the last call

        public readonly bool IsUsable => Connection is { Connection.TakesCalls: true };

        /// <summary>True if a call may start now, if none is held.</summary>
        public readonly bool IsFree => Open == 0 || IsUsable;
    }
}
