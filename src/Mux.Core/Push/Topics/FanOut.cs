using Mux.Runtime;

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
