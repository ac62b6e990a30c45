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
