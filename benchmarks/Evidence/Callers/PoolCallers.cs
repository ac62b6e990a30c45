using System.Diagnostics;
using Mux.Tool.Measuring;
using Seeds.Contracts;

namespace Evidence.Callers;

/// <summary>Callers of one channel that each make their next call when the last one has its reply and some work was done.</summary>
/// <param name="channel">Its continuations run on the thread pool.</param>
/// <param name="count">How many callers.</param>
/// <param name="work">How long a caller keeps its thread busy before a call.</param>
internal sealed class PoolCallers(MuxChannel channel, int count, TimeSpan work)
{
    private static readonly TimeSpan s_warmup = TimeSpan.FromSeconds(2);

    // One per caller: a caller is on one thread at a time, if not always on the same.
    private readonly LatencyRecorder[] _recorders = [.. Enumerable.Range(0, count).Select(_ => new LatencyRecorder())];
    private readonly IDirectory _directory = channel.CreateProxy<IDirectory>();
    private readonly long _workTicks = (long)(work.TotalSeconds * Stopwatch.Frequency);
    private volatile bool _isStopped;

    public async Task<CallerFigures> MeasureAsync(TimeSpan duration)
    {
        var running = Task.WhenAll(_recorders.Select((recorder, caller) => Task.Run(() => CallAsync(caller, recorder))));
        await Task.WhenAny(running, Task.Delay(s_warmup));
        var before = Sum();
        var statistics = channel.GetStatistics();
        long start = Stopwatch.GetTimestamp();
        await Task.WhenAny(running, Task.Delay(duration));
        var elapsed = Stopwatch.GetElapsedTime(start);
        var after = channel.GetStatistics();
        var latencies = new LatencyHistogram();
        latencies.SetDifference(Sum(), before);
        _isStopped = true;
        await running; // throws if a call has failed
        double calls = after.CallsCompleted - statistics.CallsCompleted;
        return new(calls / elapsed.TotalSeconds, calls / (after.Sends - statistics.Sends), latencies.Percentile(0.5) / 1000.0, latencies.Percentile(0.99) / 1000.0);
    }

    private async Task CallAsync(int caller, LatencyRecorder recorder)
    {
        for (double number = caller + 1; !_isStopped; number += count)
        {
            Work();
            long start = Stopwatch.GetTimestamp();
            var employee = await _directory.SearchAsync(new SearchEmployee { Id = 1, RequestTime = number });
            recorder.Record(Stopwatch.GetTimestamp() - start);
            if (employee.RequestTime != number) throw new EvidenceException($"Call {number} got the reply to call {employee.RequestTime}.");
        }
    }

    private void Work()
    {
        if (_workTicks == 0) return;
        long start = Stopwatch.GetTimestamp();
        while (Stopwatch.GetTimestamp() - start < _workTicks)
        {
        }
    }

    private LatencyHistogram Sum()
    {
        var sum = new LatencyHistogram();
        foreach (var recorder in _recorders) sum.Add(recorder);
        return sum;
    }
}
