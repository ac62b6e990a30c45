namespace Mux.Execution;

/// <summary>Items that wait for a thread, in order. Guarded by the lock of <see cref="Workers"/>.</summary>
internal sealed class WaitingWork
{
    /// <summary>Milliseconds between two looks for abandoned items: as often as deadlines are looked at elsewhere.</summary>
    private const long DropTime = 10;

    private readonly Queue<(IWork Item, int Bytes)> _queue = new();
    private long _lookedAt;

    public int Count => _queue.Count;

    public long Bytes { get; private set; }

    /// <summary>The one that has waited longest.</summary>
    public IWork First => _queue.Peek().Item;

    public void Add(IWork item, int bytes)
    {
        _queue.Enqueue((item, bytes));
        Bytes += bytes;
    }

    public bool TryTake(out IWork item)
    {
        item = null!;
        if (!_queue.TryDequeue(out var waiting)) return false;
        item = waiting.Item;
        Bytes -= waiting.Bytes;
        return true;
    }

    /// <summary>Takes out what is abandoned.</summary>
    /// <param name="now">Milliseconds.</param>
    /// <param name="ended">Is given those that are.</param>
    public void TakeAbandoned(long now, List<EndedWork> ended)
    {
        if (now - _lookedAt < DropTime) return;
        _lookedAt = now;
        for (int left = _queue.Count; left > 0; left--)
        {
            var waiting = _queue.Dequeue();
            if (!waiting.Item.IsAbandoned)
            {
                _queue.Enqueue(waiting); // once around: the order is as before
                continue;
            }

            Bytes -= waiting.Bytes;
            ended.Add(new EndedWork(waiting.Item, isRefused: false));
        }
    }

    /// <summary>Takes out the last of those that wait.</summary>
    /// <param name="most">How many may stay.</param>
    /// <param name="ended">Is given the others.</param>
    public void TakeExcess(int most, List<EndedWork> ended)
    {
        for (int at = 0, count = _queue.Count; count > most && at < count; at++)
        {
            var waiting = _queue.Dequeue();
            if (at < most)
            {
                _queue.Enqueue(waiting);
                continue;
            }

            Bytes -= waiting.Bytes;
            ended.Add(new EndedWork(waiting.Item, isRefused: true));
        }
    }
}
