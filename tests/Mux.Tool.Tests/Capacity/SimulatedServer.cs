using System.Diagnostics;
using Mux.Tool.Capacity;
using Mux.Tool.Measuring;

namespace Mux.Tool.Tests.Capacity;

/// <summary>
/// A server with one worker, and a generator, in a time of their own: calls come in even steps and wait for the one before them, each takes the same. The generator
/// can have a highest rate, from which on it makes calls late, and runs can be disturbed.
/// </summary>
internal sealed class SimulatedServer
{
    private static readonly double s_ticksPerSecond = Stopwatch.Frequency;

    /// <summary>What a handler takes, in seconds.</summary>
    public double Cost { get; init; } = 50e-6;

    /// <summary>The most calls per second that the generator makes.</summary>
    public double GeneratorLimit { get; init; } = double.PositiveInfinity;

    /// <summary>The share of calls that fail, from 0 to 1.</summary>
    public double FailedShare { get; init; }

    /// <summary>Whether the run with this number, from 0, stands still for 200 ms in its middle.</summary>
    public Func<int, bool> IsDisturbed { get; init; } = _ => false;

    public int Runs { get; private set; }

    public Task<StepMeasurement> MeasureAsync(double rate, TimeSpan duration)
    {
        bool isDisturbed = IsDisturbed(Runs++);
        LatencyRecorder response = new(), service = new(), lag = new();
        double end = duration.TotalSeconds, idleAt = 0, generatorAt = 0;
        long made = 0, failed = 0;
        var departures = new Queue<double>();
        var inFlight = new List<int>();
        for (long i = 0; i / rate < end; i++)
        {
            double intended = i / rate;
            double madeAt = Math.Max(intended, generatorAt);
            generatorAt = madeAt + 1 / GeneratorLimit;
            if (madeAt >= end) break;
            made++;
            if (isDisturbed && madeAt > end / 2)
            {
                isDisturbed = false;
                idleAt = Math.Max(idleAt, madeAt) + 0.2;
            }

            idleAt = Math.Max(idleAt, madeAt) + Cost;
            departures.Enqueue(idleAt);
            while (departures.TryPeek(out double departure) && departure <= madeAt) departures.Dequeue();
            if (made % Math.Max(1, (long)(rate / 100)) == 0) inFlight.Add(departures.Count);
            lag.Record((long)((madeAt - intended) * s_ticksPerSecond));
            if (idleAt > end) continue; // answered after the measurement
            if (made * FailedShare >= failed + 1)
            {
                failed++;
                continue;
            }

            response.Record((long)((idleAt - intended) * s_ticksPerSecond));
            service.Record((long)((idleAt - madeAt) * s_ticksPerSecond));
        }

        return Task.FromResult(new StepMeasurement(rate, duration, made, 0, failed, Sum(response), Sum(service), Sum(lag), inFlight));
    }

    private static LatencyHistogram Sum(LatencyRecorder recorder)
    {
        var histogram = new LatencyHistogram();
        histogram.Add(recorder);
        return histogram;
    }
}
