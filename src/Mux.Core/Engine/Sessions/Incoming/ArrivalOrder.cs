using System.Diagnostics;
using Mux.Protocol;
using Mux.Runtime;

namespace Mux.Engine;

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
