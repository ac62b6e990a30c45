using System.Diagnostics;

namespace Mux.Tool.Workloads;

/// <summary>
/// A fixed number of threads that handlers take turns on, so that what a server can do is known: threads divided by the cost of a handler. Calls wait in the
/// order they came; how many may is bounded by the calls that the server takes per connection.
/// </summary>
internal sealed class HandlerThreads : IDisposable
{
    private readonly object _gate = new(); // guards the two fields below; waited on, which a Lock cannot be
    private readonly Queue<(long Number, TaskCompletionSource Done)> _waiting = new();
    private bool _isDisposed;

    private readonly Func<long, long, long> _perform;

    /// <param name="count">How many.</param>
    /// <param name="perform">The handler: takes the number of a call and the time it begins, returns the time it ended.</param>
    public HandlerThreads(int count, Func<long, long, long> perform)
    {
        _perform = perform;
        for (int i = 0; i < count; i++) new Thread(TakeTurns) { IsBackground = true, Name = $"handler {i}" }.Start();
    }

    public Task RunAsync(long number)
    {
        // The reply is sent by the thread pool: sending is not what the handler costs.
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
            long from = ended; // a call that was waiting begins where the one before it ended, so that what lies between them costs it nothing extra
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
