using System.Collections.Concurrent;
using System.Diagnostics;

namespace Evidence.Restarts;

/// <summary>Callers that make one call after the other, and what they have learned of each.</summary>
internal sealed class LedgerCallers(ILedger ledger, ExecutionLog log, int callers)
{
    private readonly ConcurrentQueue<string> _untrue = [];
    private readonly ConcurrentDictionary<string, int> _failures = [];
    private long _lastFailure; // timestamp
    private long _longest; // ticks of the stopwatch
    private int _next;
    private int _answered;

    public int Answered => Volatile.Read(ref _answered);

    public int Failed => _failures.Values.Sum();

    /// <summary>Verdicts that the log of the servers contradicts.</summary>
    public IReadOnlyCollection<string> Untrue => _untrue;

    /// <summary>Failures by status and verdict.</summary>
    public string Failures => _failures.IsEmpty ? "none" : string.Join(", ", _failures.OrderByDescending(failure => failure.Value).Select(failure => $"{failure.Value} {failure.Key}"));

    public double LongestMilliseconds => Volatile.Read(ref _longest) * 1_000.0 / Stopwatch.Frequency;

    /// <summary>When a call failed last, as a timestamp.</summary>
    public long LastFailure => Volatile.Read(ref _lastFailure);

    public Task RunAsync(CancellationToken stop) => Task.WhenAll(Enumerable.Range(0, callers).Select(_ => Task.Run(() => CallAsync(stop), CancellationToken.None)));

    private async Task CallAsync(CancellationToken stop)
    {
        while (!stop.IsCancellationRequested)
        {
            int number = Interlocked.Increment(ref _next);
            if (number >= ExecutionLog.Capacity) return;
            long start = Stopwatch.GetTimestamp();
            try
            {
                if (await ledger.Enter(number) != number) _untrue.Enqueue($"call {number} got another's answer");
                Interlocked.Increment(ref _answered);
                if (log.CountOf(number) != 1) _untrue.Enqueue($"call {number} was answered and executed {log.CountOf(number)} times");
            }
            catch (MuxException error)
            {
                Volatile.Write(ref _lastFailure, Stopwatch.GetTimestamp());
                _failures.AddOrUpdate($"{error.Status} {error.Execution}", 1, static (_, count) => count + 1);
                int executed = log.CountOf(number);
                if (executed > 1 || (executed == 1 && error.Execution == MuxExecution.NotExecuted) || (executed == 0 && error.Execution == MuxExecution.Executed))
                {
                    _untrue.Enqueue($"call {number} was executed {executed} times, and its caller learned: {error.Message}");
                }
            }

            long took = Stopwatch.GetTimestamp() - start;
            for (long longest = Volatile.Read(ref _longest); took > longest;)
            {
                long seen = Interlocked.CompareExchange(ref _longest, took, longest);
                if (seen == longest) break;
                longest = seen;
            }
        }
    }
}
