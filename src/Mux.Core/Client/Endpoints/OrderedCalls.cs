using System.Collections.Concurrent;
using Mux.Engine;
using Mux.Runtime;

namespace Mux.Client;

/// <summary>
/// Keeps the order of calls whose methods have one: all open calls of a key are on one connection, and the key moves to another only while none of its calls is
/// open. If the connection takes no more calls, later calls of the key are held until then. A one-way call is open until the peer has answered it, although its
/// caller continues when it is appended: until then it may wait in a socket, and a later one on another connection would overtake it. Safe for concurrent use.
/// </summary>
/// <remarks>
/// <para>Keys share buckets, which move as a whole. So nothing is kept per key, and the memory is fixed.</para>
/// <para>A call that a connection gives back unsent is not open there any longer. It is started again in its place: <see cref="OutgoingCall.Sequence"/>.</para>
/// <para>A call that is released requests the release of the next one when it is started or over: a release costs what it starts, however many are held.</para>
/// </remarks>
/// <param name="route">The route of the calls.</param>
/// <param name="held">Holds calls.</param>
internal sealed class OrderedCalls(IOrderedRoute route, HeldCalls held) : ICallTimer, IThreadPoolWorkItem
{
    private const int BucketBits = 10, LockBits = 5;
    private const int WaitingTicket = 1 << BucketBits, OneWayTicket = WaitingTicket << 1, IndexMask = WaitingTicket - 1;

    private readonly OrderedBucket[] _buckets = new OrderedBucket[1 << BucketBits];
    private readonly Lock[] _gates = [.. Enumerable.Range(0, 1 << LockBits).Select(static _ => new Lock())];
    private readonly ConcurrentQueue<int> _releases = new(); // buckets of which a call may start
    private int _requested; // releases that are not done; one thread does them

    private enum Place
    {
        /// <summary>The call is counted on a connection.</summary>
        Open,

        /// <summary>It must be held.</summary>
        Held,

        /// <summary>There is no connection for it: it is the route's, and later ones wait for it.</summary>
        None,
    }

    /// <summary>Number of calls that are held. Any thread.</summary>
    public int Held => held.Count;

    /// <summary>Starts a call on the connection of its key, or holds it.</summary>
    /// <returns>
    /// False if there is no connection yet, or none any longer: the route starts the call again later, or fails it. Until then later calls of its keys wait.
    /// </returns>
    public bool TryStart(OutgoingCall call, ReadOnlySpan<byte> body)
    {
        int index = IndexOf(call.Key);
        call.ReleaseAtOutcome();
        var pause = default(SpinWait); // while another thread that ended a connection has not yet taken it out of its slot
        while (true)
        {
            var connection = route.Choose(call); // without the lock: it may dial
            var place = Open(call, index, ref connection, out var rule, out long stamp); // sets the receipt of a one-way call
            long sequence = call.Sequence;
            switch (place)
            {
                case Place.Open:
                    // Before the start: the call may be over when that returns.
                    (call.Timer, call.TimerTicket) = (this, call.IsOneWay ? index | OneWayTicket : index);
                    if (connection!.Connection.Initiator.TryStart(call, body, rule))
                    {
                        if (stamp != 0) OnStarted(index, sequence, stamp);
                        return true;
                    }

                    call.TimerTicket = index | WaitingTicket;
                    GiveBack(index, sequence);
                    break;
                case Place.Held:
                    return TryHold(call, index, body);
                default:
                    (call.Timer, call.TimerTicket) = (this, index | WaitingTicket);
                    return false;
            }

            pause.SpinOnce();
        }
    }

    /// <summary>A connection has given back a call unsent. Before the call is started again: until then later calls of its keys wait.</summary>
    public bool TryKeep(ref int ticket, long sequence)
    {
        if ((ticket & WaitingTicket) != 0) return true;
        int index = ticket & IndexMask;
        ticket = index | WaitingTicket;
        GiveBack(index, sequence);
        return true;
    }

    /// <inheritdoc/>
    public void End(int ticket, long sequence, bool replied)
    {
        int index = ticket & IndexMask;
        bool isAppended = replied && (ticket & OneWayTicket) != 0; // a one-way call: it is open until its receipt comes
        if ((ticket & WaitingTicket) != 0) OnOver(index, sequence);
        else if (!isAppended) Leave(index);
    }

    /// <summary>Takes out the calls that are held, linked by <see cref="OutgoingCall.Next"/>. Later ones are held once more.</summary>
    public OutgoingCall? TakeHeld() => held.TakeAll();

    /// <summary>Holds no call any longer.</summary>
    /// <returns>Those that were held, linked by <see cref="OutgoingCall.Next"/>: they fail.</returns>
    public OutgoingCall? Close()
    {
        held.Close();
        return held.TakeAll();
    }

    void IThreadPoolWorkItem.Execute()
    {
        do
        {
            if (_releases.TryDequeue(out int index)) Release(index);
        }
        while (Interlocked.Decrement(ref _requested) > 0);
    }

    private static int IndexOf(ulong key) => (int)(key >> (64 - BucketBits));

    private Lock GateOf(int index) => _gates[index & (1 << LockBits) - 1];

    /// <summary>Counts a call on the connection of the calls that are open, or on the one that was chosen if none is; or has later calls wait for it.</summary>
    private Place Open(OutgoingCall call, int index, ref PooledConnection? connection, out InOrderOnly rule, out long stamp)
    {
        (rule, stamp) = (default, 0);
        lock (GateOf(index))
        {
            ref var bucket = ref _buckets[index];
            bucket.Number(call);
            if (!bucket.IsNext(call.Sequence))
            {
                bucket.Wait(call.Sequence, call);
                return Place.Held;
            }

            if (!bucket.TryOpen(call.Sequence, ref connection, out int removals, out stamp))
            {
                bucket.Wait(call.Sequence, held: null);
                return Place.None;
            }

            rule = new(removals);
            if (call.IsOneWay) call.Receipt = bucket.ReceiptOf(call) ?? bucket.Keep(new OrderedReceipt(this, index, call));
            return Place.Open;
        }
    }

    /// <returns>False if no call is held any longer, for the route is over.</returns>
    private bool TryHold(OutgoingCall call, int index, ReadOnlySpan<byte> body)
    {
        long sequence = call.Sequence;
        (call.Timer, call.TimerTicket) = (this, index | WaitingTicket);
        if (!held.TryAdd(call, body)) return false;
        bool isNext;
        lock (GateOf(index)) isNext = _buckets[index].IsNext(sequence);
        if (isNext) RequestRelease(index); // the last one before it has ended meanwhile, and did not find it here
        return true;
    }

    private void OnStarted(int index, long sequence, long stamp)
    {
        bool mayRelease;
        lock (GateOf(index)) mayRelease = _buckets[index].Start(sequence, stamp);
        if (mayRelease) RequestRelease(index);
    }

    private void OnOver(int index, long sequence)
    {
        bool mayRelease;
        lock (GateOf(index)) mayRelease = _buckets[index].End(sequence);
        if (mayRelease) RequestRelease(index);
    }

    /// <summary>A call that was open is over.</summary>
    /// <param name="index">Of its bucket.</param>
    public void Leave(int index)
    {
        bool mayRelease;
        lock (GateOf(index)) mayRelease = _buckets[index].Leave();
        if (mayRelease) RequestRelease(index);
    }

    private void GiveBack(int index, long sequence)
    {
        bool mayRelease;
        lock (GateOf(index)) mayRelease = _buckets[index].GiveBack(sequence);
        if (mayRelease) RequestRelease(index);
    }

    private void RequestRelease(int index)
    {
        _releases.Enqueue(index);
        if (Interlocked.Increment(ref _requested) == 1) WorkQueue.OfProcess.Add(this);
    }

    /// <summary>Starts the next call of a bucket, if it is held and may start.</summary>
    private void Release(int index)
    {
        OutgoingCall? call;
        long sequence;
        lock (GateOf(index)) call = _buckets[index].Next(out sequence);
        if (call is not null && held.TryTake(call, index | WaitingTicket, sequence)) route.StartAgain(call);
    }
}
