using System.Diagnostics;

namespace Mux.Runtime;

/// <summary>
/// Looks at how long work of the process waits for a thread. <see cref="TurnMonitor"/> drives it, every few milliseconds while there is work, so that no call
/// pays for it and an idle process needs no timer. Adding and removing is thread-safe.
/// </summary>
/// <remarks>Work of the .NET thread pool (<see cref="MuxDispatchMode.Pool"/>) is not seen.</remarks>
internal sealed class QueueWatch(Workers handlers)
{
    private const int MostLoops = 256;

    private static readonly double s_perTick = 1_000_000.0 / Stopwatch.Frequency;

    private readonly Lock _gate = new();
    private readonly WaitingAge _queued = new(); // this and the next field are the monitor's
    private readonly long[] _rounds = new long[MostLoops];
    private IQueueListener[] _listeners = []; // copied on write under the gate

    /// <summary>The one of the process.</summary>
    public static QueueWatch OfProcess { get; } = new(ProcessWorkers.Handlers);

    public void Add(IQueueListener listener)
    {
        lock (_gate) Volatile.Write(ref _listeners, [.. _listeners, listener]);
    }

    public void Remove(IQueueListener listener)
    {
        lock (_gate) Volatile.Write(ref _listeners, Array.FindAll(_listeners, other => other != listener));
    }

    /// <summary>Takes a look. On the monitor's thread.</summary>
    public void Look(Turn[] turns)
    {
        var listeners = Volatile.Read(ref _listeners);
        if (listeners.Length == 0) return;
        long now = (long)(Stopwatch.GetTimestamp() * s_perTick);
        var (head, tail) = handlers.Positions;
        long queued = _queued.Look(now, head, tail);
        long round = RoundOf(turns, now);
        foreach (var listener in listeners) listener.OnLook(now, queued, round);
    }

    /// <summary>
    /// The upper median: one loop among several that a single peer keeps busy says nothing about the others, which serve their peers in time.
    /// </summary>
    private long RoundOf(Turn[] turns, long now)
    {
        int count = 0;
        foreach (var turn in turns)
        {
            if (turn.Rounds.Look(now) is { } round && count < MostLoops) _rounds[count++] = round;
        }

        if (count == 0) return 0;
        Array.Sort(_rounds, 0, count);
        return _rounds[count / 2];
    }
}

/// <summary>
/// Tells how long the first item of a queue has waited, from looks at the positions of the queue. The items carry no time, so queueing one costs nothing.
/// Times in microseconds. Not thread-safe.
/// </summary>
internal sealed class WaitingAge
{
    /// <summary>Looks that are remembered.</summary>
    private const int Capacity = 512;

    /// <summary>Microseconds between two remembered looks: the error of the age, about a 256th of it for a queue that stands for long.</summary>
    private const long LeastSpacing = 1_000;

    private readonly (long At, long Tail)[] _looks = new (long, long)[Capacity]; // oldest first
    private long _spacing = LeastSpacing;
    private int _count;

    /// <summary>Takes a look.</summary>
    /// <param name="now">The current time.</param>
    /// <param name="head">Position of the first item that waits; <paramref name="tail"/> if none does.</param>
    /// <param name="tail">Position behind the last item. Positions count up for ever.</param>
    /// <returns>Time for which the first item has waited at least: since the first look that found it in the queue. 0 if none waits.</returns>
    public long Look(long now, long head, long tail)
    {
        int over = 0;
        while (over < _count && _looks[over].Tail <= head) over++; // all that these looks saw has left the queue
        Forget(over);
        if (_count == 0) _spacing = LeastSpacing;
        if (head == tail) return 0;
        if (_count == 0 || (now - _looks[_count - 1].At >= _spacing && _looks[_count - 1].Tail < tail)) Remember(now, tail);
        return now - _looks[0].At;
    }

    private void Forget(int over)
    {
        if (over == 0) return;
        _count -= over;
        Array.Copy(_looks, over, _looks, 0, _count);
    }

    private void Remember(long now, long tail)
    {
        if (_count == Capacity)
        {
            // The later of each pair is kept, but for the first: an age is then too low, never too high.
            for (int kept = 1; kept < Capacity / 2; kept++) _looks[kept] = _looks[2 * kept + 1];
            _count = Capacity / 2;
            _spacing *= 2;
        }

        _looks[_count++] = (now, tail);
    }
}

/// <summary>Is told how long work of the process waits for a thread.</summary>
internal interface IQueueListener
{
    /// <summary>Receives a look. On the monitor's thread, which must not wait: nothing here may block, and no user code may run.</summary>
    /// <param name="now">Time of the look, in microseconds since an arbitrary start.</param>
    /// <param name="queued">Microseconds for which the oldest request has waited for a worker; 0 if none waits.</param>
    /// <param name="round">
    /// Microseconds that input waits at most for a receiving loop: at half of the loops that had input since the last look, or more, a round takes at least
    /// this long. 0 if they rested in between.
    /// </param>
    void OnLook(long now, long queued, long round);
}

/// <summary>
/// Measures how long a thread that serves many hosts takes for one round, from waiting for input to waiting again: input that comes during a round waits for
/// its end. The thread pays for two stores in each round; the monitor does the rest.
/// </summary>
/// <remarks>Only <see cref="Look"/> and what it owns belong to the monitor.</remarks>
internal sealed class RoundTime
{
    private long _rounds;
    private long _rests;
    private bool _isResting;
    private long _seenRounds; // this and the next two are the monitor's
    private long _seenRests;
    private long _seenAt;

    /// <summary>There is input: a round begins.</summary>
    public void Begin()
    {
        Volatile.Write(ref _isResting, false);
        Volatile.Write(ref _rounds, _rounds + 1);
    }

    /// <summary>There is no input: nothing waits for the thread.</summary>
    public void Rest()
    {
        Volatile.Write(ref _rests, _rests + 1);
        Volatile.Write(ref _isResting, true);
    }

    /// <summary>Takes a look.</summary>
    /// <param name="now">The current time, in microseconds.</param>
    /// <returns>
    /// Microseconds of a round since the last look, or of the one that has begun and not ended; 0 if nothing waited in between; null if there was no round.
    /// </returns>
    public long? Look(long now)
    {
        bool isResting = Volatile.Read(ref _isResting);
        long rounds = Volatile.Read(ref _rounds), rests = Volatile.Read(ref _rests);
        long begun = rounds - _seenRounds;
        if (rounds == 0 || (begun == 0 && isResting)) return null;
        bool hasRested = rests != _seenRests;
        long since = now - _seenAt;
        if (begun > 0) (_seenRounds, _seenAt) = (rounds, now);
        _seenRests = rests;
        return hasRested || isResting ? 0 : since / Math.Max(1, begun);
    }
}
