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
    private const int WaitingTicket = 1 << BucketBits, LooseTicket = 2 << BucketBits, IndexMask = WaitingTicket - 1;

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
        call.ReleaseAtOutcome();
        var pause = default(SpinWait); // while another thread that ended a connection has not yet taken it out of its slot
        while (true)
        {
            var chosen = route.Choose(call); // without the lock: it may dial
            switch (Open(call, index, ref chosen))
            {
                case Place.Open:
                    long sequence = call.Sequence;
                    (call.Timer, call.TimerTicket) = (this, index); // before the start: the call may be over when that returns
                    if (chosen!.Connection.Initiator.TryStart(call, body))
                    {
                        OnStarted(index, sequence);
                        return true;
                    }

                    call.TimerTicket = index | WaitingTicket;
                    Leave(index, sequence);
                    break;
                case Place.Held:
                    return TryHold(call, index, body);
                default:
                    (call.Timer, call.TimerTicket) = (this, index | LooseTicket);
                    return false;
            }

            pause.SpinOnce();
        }
    }

    /// <summary>A connection has given back a call unsent. Before the call is started again: until then later calls of its keys wait.</summary>
    public void OnGivenBack(OutgoingCall call)
    {
        if (call.Timer != this || call.TimerTicket > IndexMask) return;
        int index = call.TimerTicket;
        call.TimerTicket = index | WaitingTicket;
        lock (GateOf(index)) _buckets[index].Connection = null; // it would come back to the same connection while that opens
        Leave(index, call.Sequence);
    }

    /// <inheritdoc/>
    public void End(int ticket, long sequence, bool replied)
    {
        int index = ticket & IndexMask;
        if ((ticket & WaitingTicket) != 0) OnStarted(index, sequence);
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

    /// <summary>Counts a call on the connection of the calls that are open, or on the one that was chosen if none is; or has later calls wait for it.</summary>
    private Place Open(OutgoingCall call, int index, ref PooledConnection? chosen)
    {
        lock (GateOf(index))
        {
            ref var bucket = ref _buckets[index];
            if (call.Sequence == 0) call.Sequence = ++bucket.Sequence;
            if (!bucket.IsNext(call.Sequence))
            {
                bucket.Wait(call.Sequence);
                return Place.Held;
            }

            if (bucket.Open > 0) chosen = bucket.Connection;
            else bucket.Connection = chosen;
            if (chosen is null)
            {
                bucket.Waiting?.Remove(call.Sequence);
                return Place.None;
            }

            bucket.Open++;
            return Place.Open;
        }
    }

    /// <returns>False if no call is held any longer, for the route is over.</returns>
    private bool TryHold(OutgoingCall call, int index, ReadOnlySpan<byte> body)
    {
        long sequence = call.Sequence;
        (call.Timer, call.TimerTicket) = (this, index | WaitingTicket);
        if (!held.TryAdd(call, body))
        {
            call.TimerTicket = index | LooseTicket;
            OnStarted(index, sequence);
            return false;
        }

        bool isNext;
        lock (GateOf(index)) isNext = _buckets[index].IsNext(sequence);
        if (isNext) RequestRelease(); // the last one before it has ended meanwhile, and found none that was held
        return true;
    }

    /// <summary>A call waits no longer: it has its place on a connection, or its outcome.</summary>
    private void OnStarted(int index, long sequence)
    {
        bool mayRelease;
        lock (GateOf(index))
        {
            ref var bucket = ref _buckets[index];
            mayRelease = bucket.Waiting is { } waiting && waiting.Remove(sequence) && waiting.Count > 0 && bucket.IsFree;
        }

        if (mayRelease) RequestRelease();
    }

    /// <summary>A call is not open any longer on a connection.</summary>
    /// <param name="index">Its bucket.</param>
    /// <param name="again">Its place, if it waits to be started again; 0 if it is over.</param>
    private void Leave(int index, long again = 0)
    {
        bool mayRelease;
        lock (GateOf(index))
        {
            ref var bucket = ref _buckets[index];
            Debug.Assert(bucket.Open > 0);
            bucket.Open--;
            mayRelease = bucket is { Open: 0, Waiting.Count: > 0 };
            if (bucket.Open == 0) bucket.Connection = null; // keeps no connection that has ended
            if (again != 0) bucket.Wait(again);
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
        public SortedSet<long>? Waiting; // places of the calls that later ones must not overtake: held, or on the way to a connection once more
        public long Sequence; // of the last call

        /// <summary>True if a call may start now, unless an earlier one waits.</summary>
        public readonly bool IsFree => Open == 0 || Connection is { Connection.TakesCalls: true };

        /// <summary>True if a call may start now.</summary>
        public readonly bool IsNext(long sequence) => IsFree && (Waiting is not { Count: > 0 } || Waiting.Min >= sequence);

        /// <summary>Has later calls wait for a call, until it is started or over.</summary>
        public void Wait(long sequence) => (Waiting ??= []).Add(sequence);
    }
}
