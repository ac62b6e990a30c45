using System.Diagnostics;
using Mux.Tool.Capacity;
using Mux.Tool.Load;
using Mux.Tool.Measuring;
using Mux.Tool.Serving;
using Mux.Tool.Workloads;

namespace Mux.Tool.Tests.Reporting;

/// <summary>Results that no run was needed for.</summary>
internal static class Outcomes
{
    /// <summary>A valid open loop with slow replies.</summary>
    public static BenchOutcome MakeOpen()
    {
        var outcome = Make(1_000, 2_000);
        return outcome with
        {
            Configuration = outcome.Configuration with { Rate = 1_000 },
            Handlers = new HandlerProfile { SlowShare = 0.01, SlowMicroseconds = 5_000, CostMicroseconds = 50, Workers = 1 },
            Slow = outcome.Latencies,
            Others = outcome.Latencies,
            Schedule = new ScheduleOutcome { TargetRate = 1_000, Tick = TimeSpan.FromMicroseconds(100), Made = 2, Dropped = 0, Service = outcome.Latencies, Lag = outcome.Latencies, InFlight = [1, 2], InvalidBecause = [] },
        };
    }

    /// <summary>Calls beside bulk.</summary>
    public static BenchOutcome MakeMixed(int replies, int size, int seconds)
    {
        var bulk = new long[replies];
        Array.Fill(bulk, 5_000_000);
        var outcome = Make(1_000, 2_000);
        return outcome with
        {
            Configuration = outcome.Configuration with { Workload = Workload.Mixed, Size = size, BulkInFlight = 2 },
            Elapsed = TimeSpan.FromSeconds(seconds),
            Bulk = new BulkOutcome { Latencies = Make(bulk).Latencies, Size = size, Connections = 1, Elapsed = TimeSpan.FromSeconds(seconds) },
        };
    }

    /// <summary>What no run has all of, for the fields of a result.</summary>
    public static BenchOutcome MakeWithEverything() =>
        MakeOpen() with { Churn = MakeChurn(), Endpoints = [new EndpointOutcome("mux://a:1", Make(1_000, 2_000).Latencies, Failed: 1, Share: 1)], Configuration = MakeOpen().Configuration with { Objectives = Objectives.Parse("p99<2ms,errors<1%", out _) }, Bulk = MakeMixed(1, 1, 1).Bulk, Items = new ItemsOutcome(Received: 8, Sent: 4, Make(1_000, 2_000).Latencies, TimeSpan.FromSeconds(2)), Calls = new CallOutcomes(Made: 2, Answered: 2, Failed: 0, DeadlineExceeded: 0, Cancelled: 0, Lost: 0) };

    public static ChurnOutcome MakeChurn() =>
        new() { TargetRate = 20, Elapsed = TimeSpan.FromSeconds(2), Connects = 38, Errors = 1, LastFailure = "refused", Latencies = Make(500_000, 900_000).Latencies };

    public static BenchOutcome Make(params ReadOnlySpan<long> latencies)
    {
        var recorder = new LatencyRecorder();
        foreach (long latency in latencies) recorder.Record(latency / (1_000_000_000 / Stopwatch.Frequency));
        var histogram = new LatencyHistogram();
        histogram.Add(recorder);
        var usage = new ProcessUsage(histogram.Count * 0.5, histogram.Count * 320, 3, 2, 1, histogram.Count, Math.Max(1, histogram.Count / 100));
        var environment = ProcessEnvironment.Read(MuxAddress.Parse("mux://127.0.0.1:1"));
        return new BenchOutcome
        {
            Configuration = new BenchConfiguration
            {
                Target = null,
                Workload = Workload.Echo,
                Size = 65_000,
                Connections = 1024,
                InFlight = 16_384,
                Warmup = TimeSpan.FromMinutes(59),
                Duration = TimeSpan.FromHours(24),
            },
            Address = TargetAddress.Of(MuxAddress.Parse("mux://127.0.0.1:45678")),
            ClientEnvironment = environment,
            ServerEnvironment = environment,
            Elapsed = TimeSpan.FromHours(24),
            Latencies = histogram,
            Series = [new ProgressSample(false, TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(2), TimeSpan.FromSeconds(1), 10, 1_000, 2_000, 10, 0)],
            Client = usage,
            Server = usage,
            Replies = histogram.Count,
            WrongReplies = 0,
            LostReplies = 0,
            ProtocolErrors = 0,
            Failures = new Dictionary<MuxStatus, long>(),
            Loss = null,
            IsInterrupted = false,
        };
    }
}
