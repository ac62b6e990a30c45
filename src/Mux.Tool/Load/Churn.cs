using System.Diagnostics;
using Mux.Tool.Measuring;

namespace Mux.Tool.Load;

/// <summary>
/// Replaces the connections of a run, one after the other at a rate, while the load runs: another one is dialed, the calls move to it, and the one before is
/// closed when its open calls have ended. So the number of calls stays, no call is lost, and what remains is the cost of connecting.
/// </summary>
/// <param name="lanes">The connections.</param>
/// <param name="rate">Connections per second.</param>
internal sealed class Churn(Lanes lanes, double rate) : IDisposable
{
    // Half of the pending handshakes that a server allows one address. Connections whose last calls are open count as well.
    private const int MostAtOnce = 32;

    private readonly CancellationTokenSource _ended = new();
    private readonly SemaphoreSlim _slots = new(MostAtOnce);
    private readonly Lock _gate = new(); // guards the figures: connections become ready on many threads
    private readonly LatencyRecorder _latencies = new();
    private readonly long _startedAt = Stopwatch.GetTimestamp();
    private long _connects;
    private long _errors;
    private string? _lastFailure;
    private Task _running = Task.CompletedTask;

    public void Start() => _running = Task.Run(RunAsync);

    /// <summary>Ends it, and waits until the replaced connections are closed.</summary>
    public async Task<ChurnOutcome> EndAsync()
    {
        var elapsed = Stopwatch.GetElapsedTime(_startedAt);
        await _ended.CancelAsync().ConfigureAwait(false);
        await _running.ConfigureAwait(false);
        var latencies = new LatencyHistogram();
        latencies.Add(_latencies);
        return new ChurnOutcome
        {
            TargetRate = rate,
            Elapsed = elapsed,
            Connects = _connects,
            Errors = _errors,
            LastFailure = _lastFailure,
            Latencies = latencies,
        };
    }

    public void Dispose()
    {
        _ended.Dispose();
        _slots.Dispose();
    }

    private async Task RunAsync()
    {
        var replacing = new Task[lanes.Count]; // the newest of each connection
        Array.Fill(replacing, Task.CompletedTask);
        var working = new List<Task>();
        try
        {
            for (long made = 0; ; made++)
            {
                var left = TimeSpan.FromSeconds((made + 1) / rate) - Stopwatch.GetElapsedTime(_startedAt);
                if (left > TimeSpan.Zero) await Task.Delay(left, TimeProvider.System, _ended.Token).ConfigureAwait(false);
                int lane = (int)(made % lanes.Count);
                await replacing[lane].WaitAsync(_ended.Token).ConfigureAwait(false);
                await _slots.WaitAsync(_ended.Token).ConfigureAwait(false);
                working.RemoveAll(task => task.IsCompleted);
                var replaced = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
                replacing[lane] = replaced.Task;
                working.Add(ReplaceAsync(lane, replaced));
            }
        }
        catch (OperationCanceledException)
        {
            // The measurement has ended.
        }

        await Task.WhenAll(working).ConfigureAwait(false);
    }

    private async Task ReplaceAsync(int lane, TaskCompletionSource replaced)
    {
        try
        {
            long startedAt = Stopwatch.GetTimestamp();
            var before = await lanes.ReplaceAsync(lane, _ended.Token).ConfigureAwait(false);
            lock (_gate)
            {
                _connects++;
                _latencies.Record(Stopwatch.GetTimestamp() - startedAt);
            }

            replaced.SetResult();
            await lanes.RetireAsync(before).ConfigureAwait(false);
        }
        catch (MuxException error)
        {
            lock (_gate) (_errors, _lastFailure) = (_errors + 1, error.Message);
        }
        catch (OperationCanceledException)
        {
            // The measurement has ended before the connection was ready.
        }
        finally
        {
            replaced.TrySetResult();
            _slots.Release();
        }
    }
}
