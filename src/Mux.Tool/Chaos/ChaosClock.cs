using System.Diagnostics;
using Mux.Tool.Load;

namespace Mux.Tool.Chaos;

/// <summary>
/// Wakes tasks at their time, to a fraction of a millisecond where the system can: a thread of its own, as timers of the runtime are a millisecond late.
/// Thread-safe.
/// </summary>
internal sealed class ChaosClock : IDisposable
{
    // A shorter wait than this is a sleep of the thread, which nothing interrupts: a waiter that comes meanwhile is late by at most as much.
    private static readonly TimeSpan s_longestSleep = TimeSpan.FromMicroseconds(500);
    private static readonly TimeSpan s_longestWait = TimeSpan.FromMinutes(1);

    private readonly Lock _gate = new(); // guards the queue and the end
    private readonly PriorityQueue<TaskCompletionSource, long> _waiting = new();
    private readonly AutoResetEvent _changed = new(initialState: false);
    private readonly Thread _thread;
    private bool _isEnded;

    public ChaosClock()
    {
        _thread = new Thread(Run) { IsBackground = true, Name = "chaos clock", Priority = ThreadPriority.AboveNormal };
        _thread.Start();
    }

    /// <summary>Timestamp of a time from now on.</summary>
    public static long After(long now, TimeSpan time) => now + (long)(time.TotalSeconds * Stopwatch.Frequency);

    /// <param name="due">A timestamp of <see cref="Stopwatch"/>.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    public ValueTask UntilAsync(long due, CancellationToken cancellationToken)
    {
        if (due <= Stopwatch.GetTimestamp()) return ValueTask.CompletedTask;
        var waiter = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        lock (_gate)
        {
            if (_isEnded) return ValueTask.FromCanceled(new CancellationToken(canceled: true));
            _waiting.Enqueue(waiter, due);
        }

        _changed.Set();
        return new ValueTask(waiter.Task.WaitAsync(cancellationToken));
    }

    public void Dispose()
    {
        lock (_gate) _isEnded = true;
        _changed.Set();
        _thread.Join();
        _changed.Dispose();
        while (_waiting.TryDequeue(out var waiter, out _)) waiter.TrySetCanceled();
    }

    private void Run()
    {
        PreciseSleep.PrepareThread();
        while (TakeDue() is { } left)
        {
            if (left > 2 * s_longestSleep) _changed.WaitOne(left - s_longestSleep);
            else if (left > TimeSpan.Zero) PreciseSleep.Sleep(left < s_longestSleep ? left : s_longestSleep);
        }
    }

    /// <returns>Time until the next waiter is due; null at the end.</returns>
    private TimeSpan? TakeDue()
    {
        while (true)
        {
            TaskCompletionSource? waiter;
            lock (_gate)
            {
                if (_isEnded) return null;
                if (!_waiting.TryPeek(out waiter, out long due)) return s_longestWait;
                long now = Stopwatch.GetTimestamp();
                if (due > now) return Stopwatch.GetElapsedTime(now, due) is var left && left < s_longestWait ? left : s_longestWait;
                _waiting.Dequeue();
            }

            waiter.TrySetResult();
        }
    }
}
