using System.Diagnostics;

namespace Mux.Tool.Load;

/// <summary>Cancels a share of the calls by their tokens, each at a random moment within the typical duration of a call. Thread-safe.</summary>
/// <remarks>Uses its own thread: timers of the runtime count in milliseconds, and most calls have ended by then.</remarks>
internal sealed class CallCanceller : IDisposable
{
    // Weight of a new latency in the running average.
    private const double Weight = 1.0 / 64;

    private readonly Lock _gate = new(); // guards the queue
    private readonly PriorityQueue<CancellationTokenSource, long> _due = new();
    private readonly double _share;
    private double _typicalTicks; // written by many threads: a lost observation does not matter
    private long _chosen;
    private volatile bool _isDisposed;

    /// <param name="share">Share of the calls, from 0 to 1.</param>
    public CallCanceller(double share)
    {
        _share = share;
        new Thread(CancelDue) { IsBackground = true, Name = "canceller", Priority = ThreadPriority.AboveNormal }.Start();
    }

    /// <summary>Number of calls chosen for cancellation, including those that ended before.</summary>
    public long Chosen => Volatile.Read(ref _chosen);

    /// <summary>
    /// Called before a call is made: returns its canceller, or null if it is not chosen. The first calls are never chosen: they show the typical duration.
    /// </summary>
    public CancellationTokenSource? Choose()
    {
#pragma warning disable CA5394 // no secrets here
        double typical = Volatile.Read(ref _typicalTicks);
        if (typical <= 0 || Random.Shared.NextDouble() >= _share) return null;
        var cancellation = new CancellationTokenSource(); // without a timer there is nothing to dispose; it may fire long after the end of the call
        long dueAt = Stopwatch.GetTimestamp() + (long)(Random.Shared.NextDouble() * typical);
#pragma warning restore CA5394
        lock (_gate) _due.Enqueue(cancellation, dueAt);
        Interlocked.Increment(ref _chosen);
        return cancellation;
    }

    /// <summary>Records the duration of a call that was not chosen.</summary>
    public void Observe(long ticks)
    {
        double typical = Volatile.Read(ref _typicalTicks);
        Volatile.Write(ref _typicalTicks, typical <= 0 ? ticks : typical + (Weight * (ticks - typical)));
    }

    public void Dispose() => _isDisposed = true;

    private void CancelDue()
    {
        PreciseSleep.PrepareThread();
        while (!_isDisposed)
        {
            while (TakeDue() is { } cancellation) cancellation.Cancel();
            PreciseSleep.Sleep(PreciseSleep.Granularity);
        }
    }

    private CancellationTokenSource? TakeDue()
    {
        lock (_gate) return _due.TryPeek(out _, out long dueAt) && dueAt <= Stopwatch.GetTimestamp() ? _due.Dequeue() : null;
    }
}
