using System.Threading.Tasks.Sources;

namespace Mux.Runtime;

/// <summary>Queue of items that wait for a thread. Guarded by the lock of <see cref="Workers"/>.</summary>
internal sealed class WaitingWork
{
    /// <summary>Number of places that one look checks for abandoned items: some 50 us under the lock.</summary>
    public const int SliceSize = 2_048;

    /// <summary>Milliseconds between two rounds of looks: as often as deadlines are checked elsewhere.</summary>
    private const long DropTime = 10;

    // A ring whose positions count up for ever. An item removed from the middle leaves its place empty, so that a look can continue where the last one ended.
    private (IWork? Item, int Bytes)[] _ring = new (IWork?, int)[64]; // the length is a power of two
    private long _head; // the first item, if there is one
    private long _tail; // after the last item
    private long _next; // where the next look of the round starts
    private long _roundEnd;
    private long _roundBegan;
    private bool _isInRound;

    public int Count { get; private set; }

    public long Bytes { get; private set; }

    /// <summary>Positions of the first item and behind the last one; equal if there is none.</summary>
    public (long Head, long Tail) Positions => Count == 0 ? (_tail, _tail) : (_head, _tail);

    /// <summary>The item that has waited longest, or null.</summary>
    public IWork? First => Count == 0 ? null : PlaceOf(_head).Item;

    public void Add(IWork item, int bytes)
    {
        if (_tail - _head == _ring.Length) MakeRoom();
        PlaceOf(_tail++) = (item, bytes);
        Count++;
        Bytes += bytes;
    }

    public bool TryTake(out IWork item)
    {
        item = null!;
        if (Count == 0) return false;
        item = Remove(_head);
        SkipEmpty();
        return true;
    }

    /// <summary>True if <see cref="TakeAbandoned"/> would look. For its caller's thread, with or without the lock.</summary>
    public bool IsLookDue(long now) => _isInRound || now - _roundBegan >= DropTime;

    /// <summary>
    /// Removes abandoned items among the next <see cref="SliceSize"/> places. A round of looks starts every 10 ms; its looks follow at once, so that a full
    /// queue holds the lock only for short periods.
    /// </summary>
    /// <param name="now">Current time in milliseconds.</param>
    /// <param name="clocks">Readings for this look. An item whose clock is missing is checked by the next look.</param>
    /// <param name="ended">Receives the removed items.</param>
    public void TakeAbandoned(long now, ClockReadings clocks, List<EndedWork> ended)
    {
        if (!IsLookDue(now)) return;
        if (!_isInRound) (_isInRound, _roundBegan, _next, _roundEnd) = (true, now, _head, _tail);
        long at = Math.Max(_next, _head), last = Math.Min(_roundEnd, _tail), end = Math.Min(last, at + SliceSize);
        for (; at < end; at++)
        {
            if (PlaceOf(at).Item is not { } item) continue;
            long time = 0;
            if (item.Clock is { } clock && !clocks.TryGet(clock, out time)) break;
            if (item.IsAbandoned(time)) ended.Add(new EndedWork(Remove(at), isRefused: false));
        }

        _next = at;
        _isInRound = at < last;
        SkipEmpty();
    }

    /// <summary>Removes items from the end of the queue.</summary>
    /// <param name="most">Number of items that may stay.</param>
    /// <param name="ended">Receives the removed items.</param>
    public void TakeExcess(int most, List<EndedWork> ended)
    {
        int kept = 0;
        for (long at = _head; at < _tail; at++)
        {
            if (PlaceOf(at).Item is null || kept++ < most) continue;
            ended.Add(new EndedWork(Remove(at), isRefused: true));
        }

        SkipEmpty();
    }

    private ref (IWork? Item, int Bytes) PlaceOf(long position) => ref _ring[position & (_ring.Length - 1)];

    private IWork Remove(long position)
    {
        ref var place = ref PlaceOf(position);
        var item = place.Item!;
        Bytes -= place.Bytes;
        Count--;
        place = default;
        return item;
    }

    /// <summary>Moves the head to the next item; each empty place is passed once.</summary>
    private void SkipEmpty()
    {
        while (_head < _tail && PlaceOf(_head).Item is null) _head++;
    }

    /// <summary>
    /// Makes room in a full ring: doubles it if at least half of the places hold items, otherwise closes the gaps, so that items removed from the middle take
    /// no memory.
    /// </summary>
    private void MakeRoom()
    {
        var old = _ring;
        if (Count >= old.Length / 2) _ring = new (IWork?, int)[old.Length * 2];
        long to = _head, next = -1, roundEnd = -1;
        for (long from = _head; from < _tail; from++)
        {
            if (from == _next) next = to;
            if (from == _roundEnd) roundEnd = to;
            ref var source = ref old[from & (old.Length - 1)];
            if (source.Item is null) continue;
            var moved = source;
            source = default; // the item may move to its own place
            PlaceOf(to++) = moved;
        }

        _next = next >= 0 ? next : Math.Min(_next, to);
        _roundEnd = roundEnd >= 0 ? roundEnd : Math.Min(_roundEnd, to);
        _tail = to;
    }
}

/// <summary>
/// One wait after the other of one consumer. Like <see cref="ManualResetValueTaskSourceCore{TResult}"/>, but it has no code run by the .NET thread pool because
/// a wait ends between the look at its status and the attaching of the code behind it: handlers may block that pool, and the wait would last until it has
/// grown. Such code is left to the owner, which has threads of its own.
/// </summary>
internal struct WaitSource
{
    private const int Waiting = 0;
    private const int Attached = 1;
    private const int Ended = 2;

    private ManualResetValueTaskSourceCore<bool> _core; // completed only after code was attached to it, or by the consumer itself
    private int _stage;
    private bool _result;

    public readonly short Version => _core.Version;

    /// <summary>True if the .NET thread pool runs the code behind the wait in any case.</summary>
    public bool RunsOnPool
    {
        readonly get => _core.RunContinuationsAsynchronously;
        set => _core.RunContinuationsAsynchronously = value;
    }

    /// <summary>Begins a wait. Nothing may end it before this returns.</summary>
    public void Begin()
    {
        _core.Reset();
        Volatile.Write(ref _stage, Waiting);
    }

    /// <summary>
    /// Ends the wait, and runs the code behind it. Called once for each wait by one thread, and once more if <see cref="TryAttach"/> has returned false.
    /// </summary>
    public void End(bool result)
    {
        _result = result;
        if (Interlocked.Exchange(ref _stage, Ended) != Waiting) _core.SetResult(result);
    }

    public readonly ValueTaskSourceStatus GetStatus(short token)
    {
        var status = _core.GetStatus(token);
        return status == ValueTaskSourceStatus.Pending && Volatile.Read(in _stage) == Ended ? ValueTaskSourceStatus.Succeeded : status;
    }

    public bool GetResult(short token)
    {
        if (_core.GetStatus(token) == ValueTaskSourceStatus.Pending && Volatile.Read(ref _stage) == Ended) _core.SetResult(_result); // nothing is attached
        return _core.GetResult(token);
    }

    /// <summary>Attaches the code behind the wait.</summary>
    /// <returns>False if the wait has ended before: the owner calls <see cref="End"/> once more, on a thread that may run the code.</returns>
    public bool TryAttach(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags)
    {
        _core.OnCompleted(continuation, state, token, flags);
        return Interlocked.CompareExchange(ref _stage, Attached, Waiting) == Waiting;
    }
}

/// <summary>A channel or server whose work <see cref="Workers"/> run.</summary>
internal interface IWorkOwner
{
    /// <summary>
    /// Reports that no work of one kind has started for a second, and that this owner's item has waited longest. Only that owner is told, at most once a
    /// second, on a thread that may block; until it returns, no further stall of that kind is reported.
    /// </summary>
    void OnStalled(WorkStall stall);
}

/// <summary>Ends the call of an item that left its queue without running.</summary>
/// <param name="item">An item that was removed from the queue.</param>
/// <param name="isRefused">True to refuse it; false to end its call as abandoned.</param>
internal sealed class EndedWork(IWork item, bool isRefused) : IWork
{
    public string Name { get; } = item.Name;

    public IWorkOwner Owner { get; } = item.Owner;

    public IWorkClock? Clock => null;

    public bool IsAbandoned(long now) => false;

    public void Execute()
    {
        if (isRefused) item.Refuse();
        else item.Abandon();
    }
}

/// <summary>A stall: work waits, and none of its kind starts because all threads are blocked.</summary>
/// <param name="Kind">Kind of the threads: handlers, completions or overdue.</param>
/// <param name="Seconds">Time since the last start.</param>
/// <param name="Waiting">Number of waiting items.</param>
/// <param name="Threads">Number of threads.</param>
/// <param name="MaxThreads">Maximum number of threads.</param>
/// <param name="IsDenied">True if the system has no more threads.</param>
/// <param name="Running">Names of the code that occupies the threads with their number of threads, most threads first.</param>
internal sealed record WorkStall(
    WorkerKind Kind, double Seconds, int Waiting, int Threads, int MaxThreads, bool IsDenied, IReadOnlyList<(string Name, int Threads)> Running)
{
    /// <summary>Number of names that fit into a log line.</summary>
    private const int MostNames = 5;

    /// <summary>Describes the code that occupies the threads for a log: <c>shop.Orders/Find (56 threads), ...</c></summary>
    public string DescribeRunning()
    {
        var names = string.Join(", ", Running.Take(MostNames).Select(code => $"{code.Name} ({code.Threads} {(code.Threads == 1 ? "thread" : "threads")})"));
        return Running.Count > MostNames ? $"{names} and {Running.Count - MostNames} others" : names;
    }
}
