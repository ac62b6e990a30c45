using Mux.Runtime;
using Mux.Telemetry;

namespace Mux.Push;

/// <summary>
/// Runs readers that have something to do, in order, on few threads. A publisher adds the whole list of its idle readers in one step and continues. While a
/// sweep sends to some of them, further items gather for the others: so the more is published, the more items leave with one send, without a timer.
/// </summary>
/// <remarks>
/// A publisher sends nothing itself, not even to one reader: one that publishes in a loop would send each item alone, and one in a turn would hold its turn.
/// </remarks>
internal sealed class FanOut(WorkQueue work, int mostSweeps) : IThreadPoolWorkItem
{
    /// <summary>Readers that a sweep takes at once. A reader costs about 3 us, most of it one send, so a sweep lets others in after 100 us.</summary>
    private const int Portion = 32;

    /// <summary>Portions after which a sweep goes to the end of its queue of work: 3 ms, as long as a turn may take.</summary>
    private const int PortionsAtOnce = 32;

    private readonly Lock _gate = new(); // guards what is below
    private SweptReader? _first;
    private SweptReader? _last;
    private int _count;
    private int _sweeps; // that run or are queued

    public static FanOut OfProcess { get; } = new(WorkQueue.OfProcess, Math.Clamp(Environment.ProcessorCount, 1, 4));

    /// <summary>Adds readers that are linked by <see cref="SweptReader.Next"/>, and in no other list.</summary>
    public void Add(SweptReader first, SweptReader last, int count)
    {
        int starts;
        lock (_gate)
        {
            if (_last is null) _first = first;
            else _last.Next = first;
            _last = last;
            _count += count;
            int wanted = Math.Min(mostSweeps, (_count + Portion - 1) / Portion);
            starts = Math.Max(0, wanted - _sweeps);
            _sweeps += starts;
        }

        for (; starts > 0; starts--) work.Add(this);
    }

    /// <summary>Adds one reader, which is in no list.</summary>
    public void Add(SweptReader reader) => Add(reader, reader, 1);

    void IThreadPoolWorkItem.Execute()
    {
        for (int portions = 0; portions < PortionsAtOnce; portions++)
        {
            if (!TryTake(out var reader)) return;
            while (reader is not null)
            {
                var next = reader.Next;
                reader.Next = null;
                reader.Run();
                reader = next;
            }
        }

        work.Add(this);
    }

    private bool TryTake(out SweptReader? first)
    {
        lock (_gate)
        {
            first = _first;
            if (first is null)
            {
                _sweeps--;
                return false;
            }

            var last = first;
            int taken = 1;
            for (; taken < Portion && last.Next is not null; taken++) last = last.Next;
            _first = last.Next;
            if (_first is null) _last = null;
            last.Next = null;
            _count -= taken;
            return true;
        }
    }
}

/// <summary>What all topics of one kind have done and keep. Any thread.</summary>
/// <param name="name">Their name in metrics.</param>
internal sealed class TopicCounters(string name) : ITopicReadings
{
    private long _published;
    private long _encoded;
    private long _delivered;
    private long _missed;
    private long _keptBytes;
    private int _subscribers;
    private int _usedTopics;

    public string Name => name;

    public long Published => Volatile.Read(ref _published);

    public long Encoded => Volatile.Read(ref _encoded);

    public long Delivered => Volatile.Read(ref _delivered);

    public long Missed => Volatile.Read(ref _missed);

    public long KeptBytes => Volatile.Read(ref _keptBytes);

    public int Subscribers => Volatile.Read(ref _subscribers);

    /// <summary>Number of topics that have readers.</summary>
    public int UsedTopics => Volatile.Read(ref _usedTopics);

    /// <returns>The number of items published so far: a clock for topics.</returns>
    public long OnPublished() => Interlocked.Increment(ref _published);

    public void OnEncoded(int count)
    {
        if (count > 0) Interlocked.Add(ref _encoded, count);
    }

    public void OnDelivered(int count) => Interlocked.Add(ref _delivered, count);

    public void OnMissed(long count) => Interlocked.Add(ref _missed, count);

    public void OnKept(long bytes) => Interlocked.Add(ref _keptBytes, bytes);

    public void OnJoined(bool isFirst)
    {
        Interlocked.Increment(ref _subscribers);
        if (isFirst) Interlocked.Increment(ref _usedTopics);
    }

    public void OnLeft(bool wasLast)
    {
        Interlocked.Decrement(ref _subscribers);
        if (wasLast) Interlocked.Decrement(ref _usedTopics);
    }
}
