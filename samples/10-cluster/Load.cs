using System.Diagnostics;
using Mux;

namespace Cluster;

/// <summary>Callers that ask one after the other for as long as they are let, and what they have seen.</summary>
public sealed class Load(IQuotes quotes, int callers, int servers)
{
    private readonly long[] _calls = new long[servers];
    private readonly List<double> _milliseconds = [];
    private readonly Lock _gate = new();
    private long _errors;

    public long Errors => Interlocked.Read(ref _errors);

    public long Calls => _calls.Sum();

    public Task RunAsync(CancellationToken stop) => Task.WhenAll(Enumerable.Range(0, callers).Select(_ => Task.Run(() => AskAsync(stop), CancellationToken.None)));

    /// <summary>Gets what has happened since the last look.</summary>
    public (long[] Calls, double P50, double P99, double Longest) TakeInterval()
    {
        var calls = new long[servers];
        for (int i = 0; i < servers; i++) calls[i] = Interlocked.Exchange(ref _calls[i], 0);
        lock (_gate)
        {
            if (_milliseconds.Count == 0) return (calls, 0, 0, 0);
            _milliseconds.Sort();
            var (p50, p99, longest) = (_milliseconds[_milliseconds.Count / 2], _milliseconds[_milliseconds.Count * 99 / 100], _milliseconds[^1]);
            _milliseconds.Clear();
            return (calls, p50, p99, longest);
        }
    }

    private async Task AskAsync(CancellationToken stop)
    {
        while (!stop.IsCancellationRequested)
        {
            long start = Stopwatch.GetTimestamp();
            try
            {
                var quote = await quotes.Find("MUX");
                Interlocked.Increment(ref _calls[quote.Server]);
            }
            catch (MuxException error)
            {
                if (Interlocked.Increment(ref _errors) <= 3) Console.WriteLine(error.Message);
            }

            double milliseconds = Stopwatch.GetElapsedTime(start).TotalMilliseconds;
            lock (_gate) _milliseconds.Add(milliseconds);
        }
    }
}
