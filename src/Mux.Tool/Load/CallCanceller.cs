using System.Diagnostics;

namespace Mux.Tool.Load;

/// <summary>Cancels a share of the calls by their tokens, each at a random moment of the time that calls typically take. Safe for concurrent use.</summary>
/// <remarks>On a thread of its own: the timers of the runtime count in milliseconds, and most calls are over by then.</remarks>
internal sealed class CallCanceller : IDisposable
{
    // Of the running average of latencies: what a new one counts.
    private const double Weight = 1.0 / 64;

    private readonly Lock _gate = new(); // guards the queue
    private readonly PriorityQueue<CancellationTokenSource, long> _due = new();
    private readonly double _share;
    private double _typicalTicks; // written by many: that one observation may be lost does not matter
    private long _chosen;
    private volatile bool _isDisposed;

    /// <param name="share">Of the calls, from 0 to 1.</param>
    public CallCanceller(double share)
    {
        _share = share;
        new Thread(CancelDue) { IsBackground = true, Name = "canceller", Priority = ThreadPriority.AboveNormal }.Start();
    }

    /// <summary>Calls that were to be cancelled, among them those that were over before.</summary>
    public long Chosen => Volatile.Read(ref _chosen);

    /// <summary>Before a call is made: what cancels it, or null if it is not one of those. The first calls are none: they tell what is typical.</summary>
    public CancellationTokenSource? Choose()
    {
#pragma warning disable CA5394 // no secrets here
        double typical = Volatile.Read(ref _typicalTicks);
        if (typical <= 0 || Random.Shared.NextDouble() >= _share) return null;
        var cancellation = new CancellationTokenSource(); // has no timer and nothing to dispose of; it may fire when the call is long over
        long dueAt = Stopwatch.GetTimestamp() + (long)(Random.Shared.NextDouble() * typical);
#pragma warning restore CA5394
        lock (_gate) _due.Enqueue(cancellation, dueAt);
        Interlocked.Increment(ref _chosen);
        return cancellation;
    }

    /// <summary>A call that was not to be cancelled took so long.</summary>
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
