using System.Diagnostics;
using Mux.Backplanes;
using Mux.Contracts;
using Mux.Runtime;

namespace Mux.Push;

/// <summary>
/// A topic with readers in this process, whose items come by a backplane, also those that are published here: so all servers have the same order and the same
/// numbers. Items of this server wait for their way back. If the backplane is interrupted, they are delivered without it, and further ones at once.
/// </summary>
/// <remarks>
/// Whatever arrives, from wherever, is compared with <see cref="OriginMarks"/>. What is to be delivered is put in order under the lock, and delivered outside
/// of it by one thread at a time.
/// </remarks>
/// <param name="channel">The backplane's name of the topic.</param>
/// <param name="share">What all topics of the kind share.</param>
/// <param name="gate">The lock, which is that of its owner, too: it makes the numbers of the items that are published here.</param>
/// <param name="deliver">Hands an item to the readers. Runs user code: codecs.</param>
internal sealed class SharedTopic<T>(string channel, TopicShare<T> share, Lock gate, Action<TopicItem<T>, long> deliver)
    : BackplaneSubscriber, IThreadPoolWorkItem
{
    /// <summary>Items that wait for delivery, or for the first snapshot. Beyond it the oldest one is dropped: delivery takes microseconds.</summary>
    private const int MostWaiting = 8_192;

    /// <summary>Items that a thread delivers at once. Then another one continues, so that no publisher does it for others forever.</summary>
    private const int MostAtOnce = 32;

    private readonly OriginMarks _marks = new(); // guarded by the lock, like all below
    private readonly Queue<Pending> _pending = new(); // published here, not back yet, in order
    private readonly Queue<Pending> _unnumbered = new(); // those of them that have no number yet, and some that are back
    private readonly Queue<Delivery> _deliveries = new();
    private Queue<TopicArrival>? _early = new(); // what came before the snapshot; null if the snapshot is there
    private IDisposable? _subscription;
    private long _ownNumber; // of the last item, if the backplane has not numbered it; else 0
    private bool _hasBegun; // to start: one reader does it
    private bool _isOpen; // for deliveries, from then on
    private bool _isDelivering;
    private bool _hasEnded;
    private bool _isSilent; // the backplane: what is published here does not wait for its way back

    /// <summary>What its readers ask the backplane that come back.</summary>
    public ResumptionQuestions<T> Questions { get; } = new(share.Backplane, channel, share.Retain);

    /// <summary>Readers that are about to join. Guarded by the lock.</summary>
    public int Joining { get; set; }

    /// <summary>True if its first reader came while the backplane was interrupted. Set before another thread knows the topic.</summary>
    public bool BeginsAlone { get; set; }

    /// <summary>True if whatever the backplane numbers from now on comes. Guarded by the lock.</summary>
    public bool IsInForce => _early is null;

    /// <summary>Subscribes, once it has a reader. Each reader that is in calls this: the one that came first may have failed to join.</summary>
    /// <param name="ownNumber">Number of the last item that readers know, if it is one of this server's own; else 0.</param>
    public void Start(long ownNumber)
    {
        lock (gate)
        {
            if (_hasBegun) return;
            (_hasBegun, _isOpen) = (true, true);
            if (_ownNumber == 0) _ownNumber = ownNumber;
        }

        Deliver();
        IDisposable subscription;
        try
        {
            subscription = share.Backplane.Subscribe(channel, this, share.Retain);
        }
        catch
        {
            lock (gate) _hasBegun = false; // the next reader tries again
            throw;
        }

        lock (gate)
        {
            if (!_hasEnded)
            {
                _subscription = subscription;
                return;
            }
        }

        subscription.Dispose();
    }

    /// <summary>Ends the subscription when its last reader has left. To be called outside of the lock.</summary>
    public void End()
    {
        IDisposable? subscription;
        lock (gate)
        {
            _hasEnded = true;
            subscription = _subscription;
        }

        subscription?.Dispose();
    }

    /// <summary>Readers begin with what was published here during an interruption: what was published before it would come too late.</summary>
    /// <param name="count">Number of the last item that was published here.</param>
    public void SkipLocked(long count)
    {
        Debug.Assert(gate.IsHeldByCurrentThread);
        _marks.TryAdvance(share.Origin, count);
    }

    /// <summary>
    /// Takes an item that was published here, before the backplane is asked. Its publisher calls <see cref="Deliver"/>, outside of the lock.
    /// </summary>
    /// <param name="item">The item.</param>
    /// <param name="count">Its number at this server.</param>
    public void AddLocked(TopicItem<T> item, long count)
    {
        Debug.Assert(gate.IsHeldByCurrentThread);
        var pending = new Pending(item, count);
        if (_pending.Count == MostWaiting) SettleFirstLocked(); // the backplane is too slow with it
        _pending.Enqueue(pending);
        if (_unnumbered.Count == MostWaiting) _unnumbered.Dequeue(); // a backplane that tells no numbers
        _unnumbered.Enqueue(pending);
        if (_isSilent) SettleLocked();
    }

    /// <summary>The backplane has not taken an item: it is delivered without it, behind those that were published here before.</summary>
    /// <param name="item">The item, which was published before the topic had a reader if it is not known here.</param>
    /// <param name="count">Its number at this server.</param>
    public void RefuseLocked(TopicItem<T> item, long count)
    {
        Debug.Assert(gate.IsHeldByCurrentThread);
        bool isKnown = _pending.TryPeek(out var oldest) && oldest.Count <= count; // nothing is missing between the pending ones
        SettleLocked(count);
        if (!isKnown && _marks.TryAdvance(share.Origin, count)) EnqueueLocked(item, number: 0);
    }

    /// <summary>Hands what is in order to the readers, unless another thread does.</summary>
    public void Deliver()
    {
        lock (gate)
        {
            if (_isDelivering || !_isOpen) return;
            _isDelivering = true;
        }

        DeliverSome();
    }

    public override void OnMessage(BackplaneMessage message)
    {
        if (!TryRead(message, out var arrival)) return;
        lock (gate)
        {
            _isSilent = false;
            if (_early is not null)
            {
                if (_early.Count == MostWaiting)
                {
                    _early.Dequeue();
                    share.Counters.OnMissed(1);
                }

                _early.Enqueue(arrival);
                return;
            }

            AcceptLocked(arrival);
        }

        Deliver();
    }

    public override void OnPublished(long tag, long number)
    {
        lock (gate)
        {
            _isSilent = false;
            while (_unnumbered.TryPeek(out var pending) && pending.Count <= tag)
            {
                _unnumbered.Dequeue();
                if (pending.Count == tag) pending.Number = number;
            }
        }
    }

    public override void OnRefused(long tag)
    {
        lock (gate)
        {
            while (_unnumbered.TryPeek(out var unnumbered) && unnumbered.Count <= tag) _unnumbered.Dequeue();
            foreach (var pending in _pending)
            {
                if (pending.Count > tag) break;
                if (pending.Count == tag) pending.IsRefused = true;
            }

            SettleRefusedLocked();
        }

        Deliver();
    }

    public override void OnSynced(BackplaneSnapshot snapshot)
    {
        var arrivals = new List<TopicArrival>();
        foreach (var message in snapshot.Retained)
        {
            if (TryRead(message, out var arrival)) arrivals.Add(arrival);
        }

        lock (gate)
        {
            _isSilent = false;
            arrivals.AddRange(_early ?? []);
            _early = null;

            // What was published here before the subscription was in force does not come back.
            arrivals.AddRange(_pending.Where(one => one.Number > 0 && one.Number <= snapshot.LastNumber)
                .Select(one => new TopicArrival(one.Number, share.Origin, one.Count, default)));
            foreach (var arrival in arrivals.OrderBy(static one => one.Number)) AcceptLocked(arrival); // a stable order
            _ownNumber = 0; // a further one would follow the last one, and items may be missing between
        }

        Deliver();
    }

    public override void OnSilent()
    {
        lock (gate)
        {
            _isSilent = true;
            SettleLocked();
        }

        Deliver();
    }

    public override void OnInterrupted()
    {
        Questions.Forget();
        lock (gate)
        {
            _isSilent = false;
            _early ??= new();
            SettleLocked();
        }

        Deliver();
    }

    void IThreadPoolWorkItem.Execute() => DeliverSome();

    private void DeliverSome()
    {
        for (int delivered = 0; delivered < MostAtOnce; delivered++)
        {
            Delivery next;
            lock (gate)
            {
                if (!_deliveries.TryDequeue(out next))
                {
                    _isDelivering = false;
                    return;
                }
            }

            deliver(next.Item, next.Number);
        }

        share.Work.AddUserCode(this); // it still counts as delivering
    }

    private bool TryRead(BackplaneMessage message, out TopicArrival arrival)
    {
        if (TopicEnvelope.TryRead(message.Number, message.Body, out arrival)) return true;
        share.Backplane.OnUnreadable(channel, "it is not an item of a topic, or was changed on its way.");
        return false;
    }

    private void OnUndecodable(Exception error) =>
        share.Backplane.OnUnreadable(channel, $"it cannot be decoded as {typeof(T)}: {error.GetType().Name}: {error.Message}");

    private void AcceptLocked(in TopicArrival arrival)
    {
        Debug.Assert(gate.IsHeldByCurrentThread);
        if (!_marks.TryAdvance(arrival.Origin, arrival.Count)) return;
        if (arrival.Origin == share.Origin)
        {
            while (_pending.TryPeek(out var before) && before.Count < arrival.Count) EnqueueLocked(_pending.Dequeue().Item, before.Number); // lost on its way
            if (_pending.TryPeek(out var own) && own.Count == arrival.Count)
            {
                EnqueueLocked(_pending.Dequeue().Item, arrival.Number);
                SettleRefusedLocked();
                return;
            }
        }

        byte[] body = arrival.Body.ToArray(); // alone: what came may be a part of something larger
        EnqueueLocked(new TopicItem<T>(new RemoteValue<T>(body, share.Codec, OnUndecodable), body), arrival.Number);
    }

    /// <summary>Delivers what was published here without waiting for its way back, up to an item.</summary>
    private void SettleLocked(long last = long.MaxValue)
    {
        Debug.Assert(gate.IsHeldByCurrentThread);
        while (_unnumbered.TryPeek(out var unnumbered) && unnumbered.Count <= last) _unnumbered.Dequeue();
        while (_pending.TryPeek(out var pending) && pending.Count <= last) SettleFirstLocked();
    }

    /// <summary>Delivers what does not come back, as soon as all that were published here before it are.</summary>
    private void SettleRefusedLocked()
    {
        Debug.Assert(gate.IsHeldByCurrentThread);
        while (_pending.TryPeek(out var pending) && pending.IsRefused) SettleFirstLocked();
    }

    private void SettleFirstLocked()
    {
        Debug.Assert(gate.IsHeldByCurrentThread);
        var first = _pending.Dequeue();
        _marks.TryAdvance(share.Origin, first.Count);
        EnqueueLocked(first.Item, first.Number);
    }

    private void EnqueueLocked(TopicItem<T> item, long number)
    {
        Debug.Assert(gate.IsHeldByCurrentThread);
        if (number == 0) number = _ownNumber = (_ownNumber == 0 ? OwnNumbers.NewRun() : _ownNumber) + 1;
        else _ownNumber = 0;
        if (_deliveries.Count == MostWaiting)
        {
            _deliveries.Dequeue();
            share.Counters.OnMissed(1);
        }

        _deliveries.Enqueue(new Delivery(item, number));
    }

    private sealed record Pending(TopicItem<T> Item, long Count)
    {
        public long Number { get; set; } // 0 if it is not known

        public bool IsRefused { get; set; }
    }

    private readonly record struct Delivery(TopicItem<T> Item, long Number);
}

/// <summary>
/// How far a topic has got with the items of each server. What is not beyond the mark of its server has been delivered, or came too late: so items come at most
/// once, and those of a server in order, whatever a backplane does while it is interrupted. Guarded by its owner's lock.
/// </summary>
internal sealed class OriginMarks
{
    /// <summary>
    /// Servers that are remembered. A topic with more of them that publish forgets one that has been silent; an item of it that comes twice would then be
    /// delivered twice.
    /// </summary>
    private const int Most = 256;

    private readonly Dictionary<ulong, (long Count, long Used)> _marks = [];
    private long _uses;

    /// <summary>Moves the mark of a server to an item.</summary>
    /// <returns>False if the item is not beyond it.</returns>
    public bool TryAdvance(ulong origin, long count)
    {
        if (_marks.TryGetValue(origin, out var mark) && count <= mark.Count) return false;
        if (_marks.Count == Most && !_marks.ContainsKey(origin)) _marks.Remove(_marks.MinBy(static one => one.Value.Used).Key);
        _marks[origin] = (count, ++_uses);
        return true;
    }
}

/// <summary>An item that has come from a backplane.</summary>
/// <param name="Number">Its number in its topic, the same at all servers.</param>
/// <param name="Origin">Names its publisher: a random number of topics in a process.</param>
/// <param name="Count">Its number at its origin: greater than those of all items that were published there before it under the same key.</param>
/// <param name="Body">Its encoded form.</param>
internal readonly record struct TopicArrival(long Number, ulong Origin, long Count, ReadOnlyMemory<byte> Body);

/// <summary>What all topics of one kind share that reach other servers.</summary>
/// <param name="Backplane">Carries their items.</param>
/// <param name="Codec">Writes and reads their items.</param>
/// <param name="Origin">A random number that names the publisher of an item: these topics in this process.</param>
/// <param name="Retain">Items that the backplane keeps for new readers.</param>
/// <param name="Counters">Counts for all of them.</param>
/// <param name="Work">Continues deliveries that would hold up a publisher.</param>
internal sealed record TopicShare<T>(
    MuxBackplane Backplane, MessageCodec<T> Codec, ulong Origin, int Retain, TopicCounters Counters, WorkQueue Work);
