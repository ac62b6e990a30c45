using System.Diagnostics;
using Mux.Protocol;
using Mux.Runtime;

namespace Mux.Engine;

/// <summary>A call that waits for its key. Either the key is given to it, or its caller gives it up: the first of the two decides.</summary>
/// <param name="key">The key; see <see cref="KeyTable"/>.</param>
internal abstract class OrderedCall(ulong key)
{
    private const int Waits = 0, HasKey = 1, Ended = 2;

    private int _state = Waits;

    public ulong Key => key;

    /// <summary>Names the key while the call waits for it or has it: <see cref="KeyTable.Leave"/>. Written under the lock of its stripe.</summary>
    public int Place { get; set; }

    /// <summary>The table that it has come to.</summary>
    public KeyTable? Table { get; set; }

    /// <summary>Neighbours in the queue of the key; guarded by the lock of its stripe.</summary>
    public OrderedCall? Next { get; set; }

    /// <inheritdoc cref="Next"/>
    public OrderedCall? Previous { get; set; }

    /// <summary>True while it is in the queue of its key; guarded by the lock of its stripe.</summary>
    public bool IsQueued { get; set; }

    /// <summary>True if it was given up before it got its key.</summary>
    public bool IsOver => Volatile.Read(ref _state) == Ended;

    /// <summary>Gives it the key.</summary>
    /// <returns>False if it was given up.</returns>
    public bool TryTake() => Interlocked.CompareExchange(ref _state, HasKey, Waits) == Waits;

    /// <summary>Has it run on another thread. It has the key, and leaves it when it has ended. Never throws.</summary>
    /// <returns>False if no thread takes it: then it is answered, and still has the key.</returns>
    public abstract bool TryStart();

    /// <summary>Runs it on this thread, which may block. Never throws.</summary>
    public abstract void Run();

    /// <summary>Does what follows from coming to its key.</summary>
    /// <param name="entry">What <see cref="KeyTable.Enter"/> has returned for it.</param>
    public void Continue(KeyEntry entry)
    {
        if (entry == KeyEntry.Runs && !TryStart()) Table!.Leave(Place);
        else if (entry is KeyEntry.KeyIsFull or KeyEntry.TooManyKeys && TryEnd()) Refuse(entry);
    }

    /// <summary>Answers it, because it did not come to its key. Never throws.</summary>
    protected abstract void Refuse(KeyEntry reason);

    /// <summary>Gives it up.</summary>
    /// <returns>False if it has its key by now, or was given up before.</returns>
    protected bool TryEnd() => Interlocked.CompareExchange(ref _state, Ended, Waits) == Waits;
}

/// <summary>
/// The order in which ordered requests of one service came on one connection, while the keys of some are not known: those that come in fragments, and those
/// that are parked. Later ones wait behind them, whatever their keys. Bounded by the calls that the peer may have open. Safe for concurrent use.
/// </summary>
/// <remarks>
/// A request that is answered without being decoded (its deadline passed, its caller cancelled it, there was no memory for it) is not reported here. So while
/// others wait behind one, a tick looks whether it is still open.
/// </remarks>
internal sealed class ArrivalOrder(Session session, RequestSlots slots, ulong scope) : ITicked, IThreadPoolWorkItem
{
    private readonly Lock _gate = new();
    private readonly Queue<Arrival> _arrivals = new();
    private readonly Dictionary<CallId, Arrival> _expected = [];
    private readonly Ticker _ticker = Ticker.For(session.Clock);
    private long _nextDue = Clock.Never;
    private int _count;

    public ulong Scope => scope;

    /// <inheritdoc/>
    public long NextDue => Volatile.Read(ref _nextDue);

    /// <summary>True if the keys of all requests that have come are known, and have taken their places.</summary>
    public bool IsEmpty => Volatile.Read(ref _count) == 0;

    /// <inheritdoc cref="ConnectionOrder.Expect"/>
    public void Expect(CallId id)
    {
        lock (_gate)
        {
            var arrival = new Arrival(id);
            if (!_expected.TryAdd(id, arrival)) return; // one that came in fragments is parked when it is whole
            _arrivals.Enqueue(arrival);
            Volatile.Write(ref _count, _arrivals.Count);
            if (_arrivals.Count > 1) return;
            Volatile.Write(ref _nextDue, session.Clock.Now + Ticker.Resolution);
            _ticker.Add(this);
        }
    }

    /// <inheritdoc cref="ConnectionOrder.Add"/>
    public void Add(CallId id, OrderedCall call, KeyTable keys)
    {
        List<(OrderedCall, KeyEntry)>? entered = null;
        lock (_gate)
        {
            if (!_expected.Remove(id, out var arrival)) _arrivals.Enqueue(arrival = new Arrival(id));
            (arrival.Call, arrival.Keys, arrival.IsKnown) = (call, keys, true);
            AdvanceLocked(ref entered);
        }

        Continue(entered);
    }

    /// <inheritdoc cref="ConnectionOrder.Skip"/>
    public void Skip(CallId id)
    {
        List<(OrderedCall, KeyEntry)>? entered = null;
        lock (_gate)
        {
            if (!_expected.Remove(id, out var arrival)) return;
            arrival.IsKnown = true;
            AdvanceLocked(ref entered);
        }

        Continue(entered);
    }

    /// <inheritdoc/>
    public void OnTick(long now)
    {
        Volatile.Write(ref _nextDue, now + Ticker.Resolution);
        session.Options.Work.Add(this); // what enters may be refused, which is logged
    }

    void IThreadPoolWorkItem.Execute()
    {
        List<(OrderedCall, KeyEntry)>? entered = null;
        lock (_gate) AdvanceLocked(ref entered);
        Continue(entered);
    }

    /// <summary>Lets requests come to their keys, up to the first one whose key is not known.</summary>
    private void AdvanceLocked(ref List<(OrderedCall, KeyEntry)>? entered)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        while (_arrivals.TryPeek(out var arrival))
        {
            if (!arrival.IsKnown)
            {
                if (IsOpen(arrival.Id)) break;
                _expected.Remove(arrival.Id);
            }

            _arrivals.Dequeue();
            if (arrival.Call is { } call) (entered ??= []).Add((call, arrival.Keys!.Enter(call)));
        }

        Volatile.Write(ref _count, _arrivals.Count); // last: a thread that sees nothing awaited comes after what has entered
        if (_arrivals.Count > 0) return;
        Volatile.Write(ref _nextDue, Clock.Never);
        _ticker.Remove(this);
    }

    private bool IsOpen(CallId id) => session.State <= ConnectionState.Open && slots.Find(id) == RequestSlots.Relation.Open;

    private static void Continue(List<(OrderedCall Call, KeyEntry Entry)>? entered)
    {
        if (entered is null) return;
        foreach (var (call, entry) in entered) call.Continue(entry);
    }

    private sealed class Arrival(CallId id)
    {
        public CallId Id => id;

        /// <summary>True once it is decoded, or need not be waited for.</summary>
        public bool IsKnown { get; set; }

        /// <summary>The call; null if it has no key.</summary>
        public OrderedCall? Call { get; set; }

        public KeyTable? Keys { get; set; }
    }
}

/// <summary>What a connection knows of the order of its requests. Created by its first request that needs it; most connections have none.</summary>
/// <remarks>Scopes are added by the turn. All other members are for any thread.</remarks>
internal sealed class ConnectionOrder(Session session, RequestSlots slots)
{
    private static ulong s_count;

    private ArrivalOrder[] _scopes = []; // copied on write: a service with ordered methods is one

    /// <summary>The key of calls that the whole connection makes one after the other.</summary>
    public ulong Number { get; } = Interlocked.Increment(ref s_count);

    /// <summary>True if requests of a scope have arrived whose keys are not known yet. Others may not overtake them.</summary>
    public bool Awaits(ulong scope) => Find(scope) is { IsEmpty: false };

    /// <summary>A request has come that is decoded later. In the turn.</summary>
    public void Expect(ulong scope, CallId id)
    {
        var order = Find(scope);
        if (order is null)
        {
            order = new ArrivalOrder(session, slots, scope);
            Volatile.Write(ref _scopes, [.. _scopes, order]);
        }

        order.Expect(id);
    }

    /// <summary>The key of a request is known: it enters the table when those before it have, or are over.</summary>
    public void Add(ulong scope, CallId id, OrderedCall call, KeyTable keys) => Find(scope)!.Add(id, call, keys);

    /// <summary>A request has no key, or could not be decoded: nothing waits for it any longer.</summary>
    public void Skip(ulong scope, CallId id) => Find(scope)?.Skip(id);

    private ArrivalOrder? Find(ulong scope)
    {
        foreach (var order in Volatile.Read(ref _scopes))
        {
            if (order.Scope == scope) return order;
        }

        return null;
    }
}
