using System.Diagnostics;

namespace Mux.Push;

/// <summary>
/// One topic: its last items, and its readers. All readers share the items, and each has a place in them. So a reader that takes nothing holds no memory, and
/// to publish costs the same for one reader and for a hundred thousand. Safe for concurrent use.
/// </summary>
/// <remarks>
/// A reader that has got everything is in the list of idle ones. The next item hands this whole list to the <see cref="FanOut"/>. The other readers are there
/// already, or wait for their peers.
/// </remarks>
/// <param name="settings">What all topics of the kind share.</param>
/// <param name="firstNumber">Number of the first item that is published here.</param>
/// <param name="isShared">True if items come by a backplane, too, which numbers them.</param>
internal sealed class Topic<T>(TopicSettings settings, long firstNumber = 1, bool isShared = false)
{
    private readonly int _capacity = Math.Max(settings.Queue, settings.Retain);
    private readonly Lock _gate = new(); // guards what is below
    private readonly IdleReaders<T> _idle = new();
    private HashSet<TopicReader<T>>? _waiting; // for their peers; only of readers that may miss nothing
    private TopicItem<T>?[] _items = new TopicItem<T>?[1]; // a ring, whose length is a power of two
    private long _first = firstNumber; // place of the oldest item that is kept: its number, if items are published here alone
    private long _next = firstNumber; // place of the next item
    private long? _last = isShared ? null : firstNumber - 1; // number of the last item; null if it is not known
    private int _readers;
    private int _codecs; // of its readers
    private object? _source; // what adds items, if they come from other servers, too; else null
    private bool _isForgotten;
    private long _used;

    /// <summary>When it was last used, as its shelf counts. Any thread.</summary>
    public long Used
    {
        get => Volatile.Read(ref _used);
        set => Volatile.Write(ref _used, value);
    }

    /// <summary>Number of codecs that must have encoded an item which is added. Any thread; it may have changed then.</summary>
    public int Codecs => Volatile.Read(ref _codecs);

    /// <summary>The number of the next item, if it is published here alone. Any thread; another publisher may take it.</summary>
    public long Next
    {
        get
        {
            lock (_gate) return _next;
        }
    }

    public bool HasReaders
    {
        get
        {
            lock (_gate) return _readers > 0;
        }
    }

    /// <summary>Adds an item, and lets the readers run that have waited for it.</summary>
    /// <param name="item">The item.</param>
    /// <param name="number">The number that is stamped on the item, or 0.</param>
    /// <param name="source">See <see cref="Open"/>.</param>
    public TopicAdd Add(TopicItem<T> item, long number, object? source = null)
    {
        IdleReaders<T>.Chain idle;
        List<TopicReader<T>>? tooSlow = null;
        lock (_gate)
        {
            if (_isForgotten) return TopicAdd.Forgotten;
            if (source != _source) return TopicAdd.OtherSource;
            if (number != 0 && number != _next) return TopicAdd.NumberTaken;
            if (item.Codecs < _codecs) return TopicAdd.CodecMissing;
            KeepLocked(item);
            idle = _idle.TakeAll();
            TrimLocked();
            if (_waiting is { Count: > 0 } && _next % _capacity == 0) tooSlow = TakeTooSlowLocked(); // now and then: it looks at all of them
        }

        if (idle.First is not null) settings.FanOut.Add(idle.First, idle.Last!, idle.Count);
        foreach (var reader in tooSlow ?? []) reader.OnTooSlow();
        return TopicAdd.Added;
    }

    /// <summary>Lets a reader in, behind what is retained for it. It is not idle: its owner lets it run.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="unencoded">
    /// Items for it that its codec has not encoded. Then the reader is not in: its owner encodes them, outside of locks, and comes again.
    /// </param>
    /// <returns>False if the topic is forgotten.</returns>
    public bool TryJoin(TopicReader<T> reader, out List<TopicItem<T>>? unencoded)
    {
        unencoded = null;
        lock (_gate)
        {
            if (_isForgotten) return false;
            long from = reader.Resumption is { } resumption ? PlaceLocked(resumption) : Math.Max(_first, _next - settings.Retain);
            for (long at = from; at < _next; at++)
            {
                if (ItemLocked(at).Codecs <= reader.Codec) (unencoded ??= []).Add(ItemLocked(at));
            }

            if (unencoded is not null) return true;
            for (long at = from; at < _next; at++) RechargeLocked(ItemLocked(at));
            (reader.At, reader.JoinedAt, reader.IsJoined) = (from, _next, true);
            Volatile.Write(ref _codecs, Math.Max(_codecs, reader.Codec + 1));
            settings.Counters.OnJoined(isFirst: ++_readers == 1);
        }

        return true;
    }

    /// <summary>Takes the next items of a reader, as far as there is room for them.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="items">Room for items.</param>
    /// <param name="count">Number of items.</param>
    public TopicNews Take(TopicReader<T> reader, Span<TopicItem<T>?> items, out int count)
    {
        long missed = 0;
        lock (_gate)
        {
            count = 0;
            if (!reader.IsJoined) return TopicNews.Left;
            if (reader.Resumption is { HasFailed: true }) return TopicNews.Gap;
            long oldest = OldestForLocked(reader);
            if (reader.At < oldest)
            {
                if (settings.MissesNothing) return TopicNews.TooMany;
                missed = oldest - reader.At;
                reader.At = oldest;
            }

            while (count == 0)
            {
                if (reader.At == _next) return TopicNews.Nothing;
                count = (int)Math.Min(items.Length, _next - reader.At);
                for (int i = 0; i < count; i++) items[i] = ItemLocked(reader.At + i);
                reader.At += count;
                if (reader.Resumption is { IsOver: false } resumption && !resumption.TryContinue(items, ref count)) return TopicNews.Gap;
            }
        }

        if (missed > 0) settings.Counters.OnMissed(missed);
        settings.Counters.OnDelivered(count);
        return TopicNews.Items;
    }

    /// <summary>Lets a reader wait: the next item runs it.</summary>
    /// <returns>False if there are items for it, or it has left.</returns>
    public bool TryIdle(TopicReader<T> reader)
    {
        lock (_gate)
        {
            if (!reader.IsJoined || reader.At != _next || reader.Resumption is { HasFailed: true }) return false;
            _idle.Add(reader);
            TrimLocked();
            return true;
        }
    }

    /// <summary>A reader that comes back hears that it cannot continue, unless it has done so.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="found">Number that shows it.</param>
    public void FailResumption(TopicReader<T> reader, long found)
    {
        lock (_gate)
        {
            if (!reader.IsJoined || reader.Resumption!.IsOver) return;
            reader.Resumption.Fail(found);
            if (!_idle.Remove(reader)) return; // it finds out by itself
        }

        settings.FanOut.Add(reader);
    }

    /// <summary>Gives back the last items that a reader has taken: they wait for it again.</summary>
    public void GiveBack(TopicReader<T> reader, int count)
    {
        lock (_gate) reader.At -= count;
        settings.Counters.OnDelivered(-count);
    }

    /// <summary>A reader waits for its peer. It is told if that takes too long.</summary>
    public void AddWaiting(TopicReader<T> reader)
    {
        if (!settings.MissesNothing) return;
        lock (_gate) (_waiting ??= []).Add(reader);
    }

    /// <summary>A reader continues.</summary>
    public void RemoveWaiting(TopicReader<T> reader)
    {
        if (!settings.MissesNothing) return;
        lock (_gate) _waiting?.Remove(reader);
    }

    /// <summary>A reader leaves. May be called repeatedly.</summary>
    /// <returns>True if it was idle: nothing else will run it.</returns>
    public bool Leave(TopicReader<T> reader)
    {
        bool wasIdle;
        lock (_gate)
        {
            if (!reader.IsJoined) return false;
            reader.IsJoined = false;
            wasIdle = _idle.Remove(reader);
            reader.Before = null; // it would keep others that have left
            _waiting?.Remove(reader);
            if (--_readers == 0) Volatile.Write(ref _codecs, 0);
            settings.Counters.OnLeft(wasLast: _readers == 0);
            TrimLocked();
            if (_readers == 0 && _first == _next) _items = new TopicItem<T>?[1];
        }

        reader.Question?.Dispose();
        return wasIdle;
    }

    /// <summary>Forgets all items of a topic without readers. It is not used again.</summary>
    /// <returns>False if it has readers.</returns>
    public bool TryForget()
    {
        lock (_gate)
        {
            if (_readers > 0) return false;
            _isForgotten = true;
            DropLocked(_next);
            return true;
        }
    }

    /// <summary>Lets items come from this source alone: what is still under way from one before it would come twice.</summary>
    public void Open(object source)
    {
        lock (_gate) _source = source;
    }

    /// <summary>Drops all items of a topic without readers: its next source has them.</summary>
    /// <param name="ended">The source that has ended; null for whichever it has.</param>
    public void Clear(object? ended = null)
    {
        lock (_gate)
        {
            if (_readers > 0 || (ended is not null && _source != ended)) return;
            _source = null;
            DropLocked(_next);
            _first = _next = OwnNumbers.NewRun() + 1; // or its next own number would follow the last one, and items may be missing between
            _last = null;
        }
    }

    /// <summary>Drops an item that cannot be read, and those before it.</summary>
    public void DropThrough(TopicItem<T> item)
    {
        lock (_gate)
        {
            for (long at = _first; at < _next; at++)
            {
                if (ItemLocked(at) == item) DropLocked(at + 1);
            }
        }
    }

    /// <summary>Drops the oldest item, if there is another one.</summary>
    public bool TryDropOldest()
    {
        lock (_gate)
        {
            if (_next - _first < 2) return false;
            DropLocked(_first + 1);
            return true;
        }
    }

    /// <summary>Finds the place of a reader that comes back. It takes nothing from there but the next item, see <see cref="Take"/>.</summary>
    private long PlaceLocked(TopicResumption resumption)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        long after = resumption.After;
        resumption.Place();
        for (long at = _first; at < _next; at++)
        {
            if (ItemLocked(at).Number == after + 1) return at;
        }

        if (_last == after) return _next;
        if (isShared && !OwnNumbers.Have(after) && (_last is null || (after > _last && !OwnNumbers.Have(_last.Value)))) resumption.Await(_capacity);
        else resumption.Fail(_first < _next && ItemLocked(_first).Number > after ? ItemLocked(_first).Number : _last > after ? _last.Value + 1 : _last ?? 0);
        return _next;
    }

    /// <summary>The oldest item that a reader still gets.</summary>
    private long OldestForLocked(TopicReader<T> reader)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        long oldest = Math.Max(_first, _next - _capacity);
        if (!settings.KeepsLatest || reader.At < reader.JoinedAt) return oldest;
        bool latestOnly = reader.HasWaited || reader.At < oldest;
        reader.HasWaited = false;
        return latestOnly ? _next - 1 : oldest;
    }

    private TopicItem<T> ItemLocked(long number)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        return _items[number & (_items.Length - 1)]!;
    }

    /// <summary>Counts what an item keeps since it was encoded.</summary>
    private void RechargeLocked(TopicItem<T> item)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        long before = item.Charged;
        settings.Counters.OnKept(item.Charge() - before);
    }

    private void KeepLocked(TopicItem<T> item)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        if (_next - _first == _capacity) DropLocked(_first + 1);
        if (_next - _first == _items.Length) GrowLocked();
        _items[_next++ & (_items.Length - 1)] = item;
        _last = item.Number;
        settings.Counters.OnKept(item.Charge());
    }

    private void GrowLocked()
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        var grown = new TopicItem<T>?[2 * _items.Length];
        for (long at = _first; at < _next; at++) grown[at & (grown.Length - 1)] = ItemLocked(at);
        _items = grown;
    }

    /// <summary>Without a reader that has something to get, only what new readers get is kept.</summary>
    private void TrimLocked()
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        if (_idle.Count < _readers || _next - _first <= settings.Retain) return;
        DropLocked(_next - settings.Retain);
    }

    private void DropLocked(long until)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        long bytes = 0;
        for (; _first < until; _first++)
        {
            bytes += ItemLocked(_first).Charged;
            _items[_first & (_items.Length - 1)] = null;
        }

        if (bytes > 0) settings.Counters.OnKept(-bytes);
    }

    private List<TopicReader<T>> TakeTooSlowLocked()
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        var tooSlow = _waiting!.Where(reader => reader.At < _next - _capacity).ToList();
        foreach (var reader in tooSlow) _waiting!.Remove(reader);
        return tooSlow;
    }
}

/// <summary>The readers of a topic that have got everything. Guarded by the lock of the topic.</summary>
internal sealed class IdleReaders<T>
{
    private TopicReader<T>? _first;
    private TopicReader<T>? _last;
    private long _number = 1; // of the list: a reader with another number is not in it

    public int Count { get; private set; }

    public void Add(TopicReader<T> reader)
    {
        (reader.Next, reader.Before, reader.IdleList) = (null, _last, _number);
        if (_last is null) _first = reader;
        else _last.Next = reader;
        _last = reader;
        Count++;
    }

    /// <summary>Takes all of them, linked by <see cref="SweptReader.Next"/>, in one step: their numbers say that they are in no list anymore.</summary>
    public Chain TakeAll()
    {
        var all = new Chain(_first, _last, Count);
        (_first, _last, Count) = (null, null, 0);
        _number++;
        return all;
    }

    /// <summary>Takes out one of them.</summary>
    /// <returns>False if it is not idle.</returns>
    public bool Remove(TopicReader<T> reader)
    {
        if (reader.IdleList != _number) return false;
        var next = (TopicReader<T>?)reader.Next;
        if (reader.Before is null) _first = next;
        else reader.Before.Next = next;
        if (next is null) _last = reader.Before;
        else next.Before = reader.Before;
        (reader.Next, reader.Before, reader.IdleList) = (null, null, 0);
        Count--;
        return true;
    }

    /// <summary>Readers in a row.</summary>
    internal readonly record struct Chain(TopicReader<T>? First, TopicReader<T>? Last, int Count);
}

/// <summary>What became of an item that was to be added to a topic.</summary>
internal enum TopicAdd
{
    /// <summary>The topic has it.</summary>
    Added,

    /// <summary>Another publisher has taken the number that is stamped on it. It gets the next one.</summary>
    NumberTaken,

    /// <summary>A codec of the readers has not encoded it.</summary>
    CodecMissing,

    /// <summary>Items of the topic come from elsewhere by now. It gets this one from there, or never.</summary>
    OtherSource,

    /// <summary>The topic is forgotten. A new one takes its place.</summary>
    Forgotten,
}

/// <summary>What a reader finds in its topic.</summary>
internal enum TopicNews
{
    /// <summary>Items.</summary>
    Items,

    /// <summary>Nothing.</summary>
    Nothing,

    /// <summary>More items wait than a subscriber may leave waiting, and it may miss none.</summary>
    TooMany,

    /// <summary>The items that follow the last one that its subscriber has are not there.</summary>
    Gap,

    /// <summary>The reader has left.</summary>
    Left,
}
