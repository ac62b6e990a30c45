using System.Diagnostics;

namespace Mux.Tool.Workloads;

/// <summary>
/// A fixed number of threads for handlers, so that the capacity of a server is known: threads divided by the cost of a handler. Calls wait in order of arrival;
/// the calls that the server accepts per connection limit their number.
/// </summary>
internal sealed class HandlerThreads : IDisposable
{
    private readonly object _gate = new(); // guards the two fields below; not a Lock, which has no Wait
    private readonly Queue<(long Number, TaskCompletionSource Done)> _waiting = new();
    private bool _isDisposed;

    private readonly Func<long, long, long> _perform;

    /// <param name="count">Number of threads.</param>
    /// <param name="perform">The handler: takes the number of a call and its start time, returns its end time.</param>
    public HandlerThreads(int count, Func<long, long, long> perform)
    {
        _perform = perform;
        for (int i = 0; i < count; i++) new Thread(TakeTurns) { IsBackground = true, Name = $"handler {i}" }.Start();
    }

    public Task RunAsync(long number)
    {
        // The thread pool sends the reply: sending is not part of the handler's cost.
        var done = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        lock (_gate)
        {
            _waiting.Enqueue((number, done));
            Monitor.Pulse(_gate);
        }

        return done.Task;
    }

    public void Dispose()
    {
        lock (_gate)
        {
            _isDisposed = true;
            Monitor.PulseAll(_gate);
        }
    }

    private void TakeTurns()
    {
        long ended = 0;
        while (true)
        {
            (long Number, TaskCompletionSource Done) next;
            long from = ended; // a waiting call starts at the end of the previous one, so that the time in between costs nothing extra
            lock (_gate)
            {
                while (_waiting.Count == 0)
                {
                    if (_isDisposed) return;
                    Monitor.Wait(_gate);
                    from = 0;
                }

                next = _waiting.Dequeue();
            }

            ended = _perform(next.Number, from == 0 ? Stopwatch.GetTimestamp() : from);
            next.Done.SetResult();
        }
    }
}
