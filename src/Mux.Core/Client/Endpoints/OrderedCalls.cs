using System.Collections.Concurrent;
using System.Diagnostics;
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

/// <summary>
/// Keys that share a connection, from the first of their calls to the answer of the last. Guarded by a lock of <see cref="OrderedCalls"/>.
/// </summary>
internal struct OrderedBucket
{
    private static readonly Comparer<Waiter> s_bySequence = Comparer<Waiter>.Create(static (one, other) => one.Sequence.CompareTo(other.Sequence));

    private SortedSet<Waiter>? _waiting; // calls that later ones must not overtake: held, or on the way to a connection once more
    private long _sequence; // of the last call
    private long _stamp; // of the last waiter
    private int _open;
    private PooledConnection? _connection; // of the open calls; null while it takes none
    private int _removals; // of its queue, when it got the first of them
    private OrderedReceipt? _receipts; // one for each of its one-way methods

    /// <summary>True if a call may start now, unless an earlier one waits.</summary>
    /// <remarks>A connection that has given back calls takes no more for this bucket until none is open: earlier ones may be on the way back.</remarks>
    private readonly bool IsFree =>
        _open == 0 || (_connection is { Connection: { TakesCalls: true } connection } && connection.Waiting.Removals == _removals);

    /// <summary>True if a call waits and none is open: then the connection is chosen anew.</summary>
    private readonly bool IsLeft => _open == 0 && _waiting is { Count: > 0 };

    /// <summary>Gives a call its place in the order, if it has none.</summary>
    public void Number(OutgoingCall call)
    {
        if (call.Sequence == 0) call.Sequence = ++_sequence;
    }

    /// <summary>Gets the receipt of a one-way call, which all calls of its method share; null if it is the first of them.</summary>
    public readonly OrderedReceipt? ReceiptOf(OutgoingCall call)
    {
        var receipt = _receipts;
        while (receipt is not null && receipt.Method != call.Method) receipt = receipt.NextOfBucket;
        return receipt;
    }

    /// <summary>Keeps a receipt for the calls of its method.</summary>
    public OrderedReceipt Keep(OrderedReceipt receipt)
    {
        receipt.NextOfBucket = _receipts;
        return _receipts = receipt;
    }

    /// <summary>True if a call may start now.</summary>
    public readonly bool IsNext(long sequence) => IsFree && (_waiting is not { Count: > 0 } waiting || waiting.Min.Sequence >= sequence);

    /// <summary>Counts a call that may start on the connection of the open calls, or on the one that was chosen if none is open.</summary>
    /// <param name="sequence">Its place.</param>
    /// <param name="connection">The connection.</param>
    /// <param name="removals">Those of its queue when it got the first of the calls.</param>
    /// <param name="stamp">The stamp of the call if later ones wait for it, for <see cref="Start"/>; otherwise 0.</param>
    /// <returns>False if there is no connection.</returns>
    public bool TryOpen(long sequence, ref PooledConnection? connection, out int removals, out long stamp)
    {
        if (_open > 0) connection = _connection;
        else if (connection is not null) (_connection, _removals) = (connection, connection.Connection.Waiting.Removals);
        (removals, stamp) = (_removals, 0);
        if (connection is null) return false;
        _open++;
        if (_waiting is not null && _waiting.TryGetValue(new(sequence), out var waiter)) stamp = waiter.Stamp;
        return true;
    }

    /// <summary>A call is not open any longer.</summary>
    /// <returns>True if held calls may start now.</returns>
    public bool Leave()
    {
        Debug.Assert(_open > 0);
        if (--_open == 0) _connection = null; // keeps no connection that has ended
        return IsLeft;
    }

    /// <summary>A call is not open any longer, and is on its way to another connection: its old one takes no more calls for the bucket.</summary>
    /// <inheritdoc cref="Leave()"/>
    public bool GiveBack(long sequence)
    {
        Debug.Assert(_open > 0);
        bool mayStart = --_open == 0 && IsLeft;
        _connection = null; // it would come back to the same connection while that opens
        Wait(sequence, null);
        return mayStart;
    }

    /// <summary>Has later calls wait for a call, until it is started or over.</summary>
    /// <param name="sequence">Its place.</param>
    /// <param name="held">The call, if it is held; null if it is on its way.</param>
    public void Wait(long sequence, OutgoingCall? held)
    {
        var waiter = new Waiter(sequence, held, ++_stamp);
        _waiting ??= new(s_bySequence);
        _waiting.Remove(waiter);
        _waiting.Add(waiter);
    }

    /// <summary>A call is on a connection: later ones may follow. Unless it has come back by now, and waits once more.</summary>
    /// <inheritdoc cref="Leave()"/>
    public readonly bool Start(long sequence, long stamp) =>
        _waiting is not null && _waiting.TryGetValue(new(sequence), out var waiter) && waiter.Stamp == stamp && End(sequence);

    /// <summary>A call that waits is over.</summary>
    /// <inheritdoc cref="Leave()"/>
    public readonly bool End(long sequence) => _waiting is not null && _waiting.Remove(new(sequence)) && _waiting.Count > 0 && IsFree;

    /// <summary>Finds the call that may start next. Null if none may, or it is on its way.</summary>
    public readonly OutgoingCall? Next(out long sequence)
    {
        var first = _waiting is { Count: > 0 } waiting && IsFree ? waiting.Min : default;
        sequence = first.Sequence;
        return first.Held;
    }

    private readonly record struct Waiter(long Sequence, OutgoingCall? Held = null, long Stamp = 0);
}

/// <summary>
/// Ends the places of one-way calls in their order, when the peer has answered them or their connection has ended. One for each bucket and method, so that no
/// call needs an object of its own. Safe for concurrent use.
/// </summary>
internal sealed class OrderedReceipt : OneWayReply
{
    private readonly OrderedCalls _calls;
    private readonly int _index;
    private readonly OneWayReply? _own;

    /// <param name="calls">The order.</param>
    /// <param name="index">The bucket.</param>
    /// <param name="first">The first call that has this receipt. It passes everything on to the receipt that the call had before.</param>
    public OrderedReceipt(OrderedCalls calls, int index, OutgoingCall first)
    {
        (_calls, _index, _own) = (calls, index, first.Receipt as OneWayReply);
        Method = first.Method;
    }

    /// <summary>The receipt of another method of the bucket. Guarded by the lock of the bucket.</summary>
    public OrderedReceipt? NextOfBucket { get; set; }

    public override bool IsTold => true;

    public override void OnResponse(ReadOnlySpan<byte> body, CallTally tally)
    {
        _calls.Leave(_index);
        _own?.OnResponse(body, tally);
    }

    public override void OnFailed(CallFailure failure, bool inTurn)
    {
        _calls.Leave(_index);
        _own?.OnFailed(failure, inTurn);
    }
}

/// <summary>
/// Ordered calls that wait because earlier ones of their keys are still open on connections that take no more calls. Safe for concurrent use.
/// </summary>
/// <param name="route">The route of the calls.</param>
/// <param name="byteLimit">Most bytes that wait.</param>
internal sealed class HeldCalls(DialingRoute route, long byteLimit) : WaitingCalls(route, byteLimit)
{
    protected override MuxCallPhase Phase => MuxCallPhase.Queue;

    protected override CallFailure Expired { get; } = new(MuxStatus.DeadlineExceeded, MuxExecution.NotExecuted, MuxCallPhase.Queue,
        "The deadline passed while earlier calls of the key were open on a connection that takes no more calls.")
    {
        IsOwnDeadline = true,
    };

    protected override string DescribeFull(int calls, long bytes, long byteLimit) =>
        $"{calls} calls of ordered methods wait with {bytes} bytes for earlier calls of their keys, whose connections take no more calls; MaxQueuedBytes " +
        $"allows {byteLimit}. Make fewer calls concurrently, or raise MaxQueuedBytes of the channel.";
}
