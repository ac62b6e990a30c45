using Mux.Tool.Measuring;
using Mux.Tool.Serving;
using Mux.Tool.Workloads;

namespace Mux.Tool.Load;

/// <summary>One run: connects, warms up, measures, and waits for the last replies.</summary>
internal static class BenchRun
{
    /// <summary>Seconds without a reply at the end after which open calls count as lost.</summary>
    public const int QuietSeconds = 3;

    /// <param name="configuration">Configuration of the run.</param>
    /// <param name="target">The server, or several.</param>
    /// <param name="report">Called once a second.</param>
    /// <param name="interrupted">Ends the run early; if the load runs, with the result so far.</param>
    /// <exception cref="ToolException">The server cannot be used.</exception>
    /// <exception cref="OperationCanceledException">Interrupted before the load began.</exception>
    public static async Task<BenchOutcome> RunAsync(
        BenchConfiguration configuration, TargetAddress target, Action<ProgressSample> report,
        CancellationToken interrupted)
    {
        // Ambient options, which every token inherits with its execution context. Calls do not look for them until a
        // process applies some, so that runs without metadata cost what they did. The time limit of a channel limits no
        // stream.
        var streamLimit = configuration.Method is { HasStream: true } ? configuration.TimeLimit : null;
        using MuxCallOptionsScope? scope = configuration.Metadata is null && streamLimit is null ? null
            : new MuxCallOptions { Metadata = configuration.Metadata, Timeout = streamLimit }.Apply();
        var probe = configuration.Method is not null ? ServerProbe.None
            : await ServerProbe.OpenAsync(target, configuration.Links, interrupted).ConfigureAwait(false);
        await using var probeEnd = probe.ConfigureAwait(false);
        if (configuration.Method is null)
            await probe.CheckWorkloadAsync(configuration.Workload, target, interrupted).ConfigureAwait(false);
        bool isOne = target.Single is not null; // of several servers, any of them would answer the probe
        var serverEnvironment = isOne ? await probe.DescribeAsync().ConfigureAwait(false) : null;
        bool hasHandlers = isOne && configuration.Traits.IsCallsAlone;
        var handlers = hasHandlers ? await probe.GetHandlersAsync().ConfigureAwait(false) : null;
        using var tally = isOne ? null : new EndpointTally();
        var lanes = await RunLanes.OpenAsync(configuration, target, tally, interrupted).ConfigureAwait(false);
        await using var lanesEnd = lanes.ConfigureAwait(false);
        var clientEnvironment = ProcessEnvironment.Read(target.Sample); // now, while there are connections to inspect

        using var canceller = configuration.CancelShare > 0 ? new CallCanceller(configuration.CancelShare) : null;
        using var cut = configuration.Method is { HasResponseStream: true } ? new StreamCut() : null;
        var state = new LoadState(handlers ?? HandlerProfile.Plain, canceller,
            hasDeadline: configuration.Deadline is not null, endsAtLoss: isOne, cut);
        var inFlight = new InFlightTrace();
        var load = lanes.MakeLoad(state, inFlight);
        var last = new LastReplies(load, state, configuration.PatienceSeconds);

        // A number of calls is exact only if none of the warm-up is open when the measurement begins.
        bool isCounted = configuration.IsCounted;
        // Streams without an end have their first items once: at the beginning of a measurement without a warm-up, not
        // ahead of it.
        bool startsMeasured = configuration.Warmup == TimeSpan.Zero && (isCounted || cut is not null);
        var running = startsMeasured ? Task.CompletedTask : load.RunAsync();
        await new Phase(state, load, isWarmup: true, configuration.Warmup).PassAsync(report, interrupted)
            .ConfigureAwait(false);
        if (isCounted) state.Stop();
        long lost = isCounted ? await last.AwaitAsync(running, interrupted).ConfigureAwait(false) : 0;

        var serverBefore = await ReadServerAsync().ConfigureAwait(false);
        load.BeginMeasurement();
        tally?.Begin();
        var beside = new BesideResponses(state, load);
        var measurement = new Phase(
            state, load, isWarmup: false, lost > 0 ? TimeSpan.Zero : configuration.Duration,
            isCounted ? configuration.Calls : null, configuration.PatienceSeconds);
        // After the allocation of histograms, and before it at the end: their two megabytes do not belong to the calls.
        var clientBefore = ProcessUsage.Read(lanes.GetStatistics());
        if (isCounted && lost == 0) state.Resume(new CallLimit(configuration.Calls!.Value));
        if (startsMeasured || (isCounted && lost == 0))
        {
            measurement.StartClock();
            running = load.RunAsync();
        }

        using var churn = lanes.MakeChurn();
        churn?.Start();
        await measurement.PassAsync(report, interrupted, isCounted ? running : null).ConfigureAwait(false);
        var churned = churn is null ? null : await churn.EndAsync().ConfigureAwait(false);
        var client = ProcessUsage.Read(lanes.GetStatistics()).Since(clientBefore);
        beside.End();
        var endpoints = tally?.End(lanes.GetEndpoints()) ?? [];
        var open = inFlight.Samples();
        var server = ServerCost.Of(serverBefore, await ReadServerAsync().ConfigureAwait(false), client.Calls);

        state.Stop();
        if (lost == 0) lost = await last.AwaitAsync(running, interrupted).ConfigureAwait(false);
        var all = state.Recorders.SumInto(new LatencyHistogram());
        var allBulk = state.Recorders.SumInto(new LatencyHistogram(), Measured.Bulk);
        var latencies = measurement.Latencies();
        var failures = state.Failures();
        return new BenchOutcome
        {
            Configuration = configuration,
            Address = target,
            ClientEnvironment = clientEnvironment,
            ServerEnvironment = serverEnvironment,
            Elapsed = measurement.Elapsed,
            Latencies = latencies,
            Schedule = configuration.Rate is null ? null
                : beside.ToSchedule(configuration, measurement.Elapsed, latencies.Replies, open),
            Handlers = handlers,
            Slow = handlers is { HasSlow: true } ? beside.Slow : null,
            Others = handlers is { HasSlow: true } ? beside.Others : null,
            Calls = configuration.Traits.IsCallsAlone
                ? OutcomesOf(load.Counts.Made, all.Replies, failures.Values.Sum(), lost, state) : null,
            Bulk = configuration.Traits.IsMixed
                ? new BulkOutcome
                {
                    Latencies = beside.Bulk,
                    Size = configuration.Size!.Value,
                    Connections = configuration.Connections,
                    Elapsed = measurement.Elapsed
                }
                : null,
            Items =
                configuration.Method is { HasStream: true } method ? beside.ToItems(method, measurement.Elapsed) : null,
            Churn = churned,
            Endpoints = endpoints,
            Series = measurement.Samples,
            Client = PerUnit(client),
            Server = server.Usage is { } usage ? PerUnit(usage) : null,
            ServerUnknown = server.Unknown,
            Replies = all.Replies,
            WrongReplies = all.WrongReplies + allBulk.WrongReplies,
            LostReplies = lost,
            ProtocolErrors = lanes.GetStatistics().Sum(statistics => statistics.ProtocolErrors),
            Failures = failures,
            Example = state.FindExample(),
            Loss = state.Lost.IsCompleted ? await state.Lost.ConfigureAwait(false) : null,
            IsInterrupted = interrupted.IsCancellationRequested,
        };

        // Streams are calls that do not end: their cost is reported per item.
        ProcessUsage PerUnit(ProcessUsage usage) =>
            configuration.Traits.IsStream ? usage with { Calls = latencies.Replies } : usage;

        async Task<ServerReport?> ReadServerAsync() =>
            !isOne || state.Lost.IsCompleted ? null : await probe.ReadAsync().ConfigureAwait(false);
    }

    private static CallOutcomes OutcomesOf(long made, long answered, long failed, long lost, LoadState state) =>
        new(made, answered, failed, state.Expired, state.Cancelled, lost)
        {
            CancelsChosen = state.Canceller?.Chosen ?? 0,
            Cut = state.Cut?.Streams ?? 0,
        };
}
