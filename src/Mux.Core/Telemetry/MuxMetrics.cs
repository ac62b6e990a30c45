using System.Diagnostics.Metrics;
using System.Runtime.CompilerServices;
using Mux.Calls;
using Mux.Contracts;
using Mux.Diagnostics;
using Mux.Engine;
using Mux.Runtime;

namespace Mux.Telemetry;

/// <summary>
/// The meters of Mux: one set per meter factory, and one for code without a factory. All instruments but the durations are observable: they read the ledgers if
/// there are listeners and cost nothing otherwise. Thread-safe.
/// </summary>
internal sealed class MuxMetrics
{
    /// <summary>Bucket boundaries in seconds: the convention's, which begin at 5 ms, and finer ones below, because calls here take microseconds.</summary>
    private static readonly double[] s_durationBuckets =
        [0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

    private static readonly ConditionalWeakTable<IMeterFactory, MuxMetrics> s_byFactory = [];
    private static readonly Lazy<MuxMetrics> s_shared = new(() => new MuxMetrics(name => new Meter(name, MuxTelemetry.Version)));

    private readonly Lock _gate = new();
    private readonly List<MeteredEndpoint> _servers = [];
    private readonly List<MeteredEndpoint> _clients = [];

    private MuxMetrics(Func<string, Meter> create)
    {
        var server = create(MetricNames.ServerMeter);
        ServerCallDuration = CreateDuration(server, MetricNames.ServerCallDuration, "Time from the arrival of a request to its answer.");
        server.CreateObservableUpDownCounter(
            MetricNames.ServerConnections, () => Observe(_servers, totals => totals.OpenConnections), "{connection}", "Open connections.");
        server.CreateObservableUpDownCounter(
            MetricNames.ServerActiveCalls, () => Observe(_servers, totals => totals.RequestsStarted - totals.Requests.Total), "{call}",
            "Calls not answered yet.");
        server.CreateObservableUpDownCounter(
            MetricNames.ServerParkedCalls, () => Observe(_servers, totals => totals.ParkedCalls), "{call}",
            "Active calls that wait for a handler, memory, or room for their replies.");
        server.CreateObservableCounter(
            MetricNames.ServerCalls, () => ObserveCalls(_servers, totals => totals.Requests), "{call}", "Calls answered, by method and status.");
        server.CreateObservableCounter(
            MetricNames.ServerReverseCalls, () => ObserveReverseCalls(_servers, totals => totals.Calls), "{call}",
            "Calls that the server made to its clients and that ended, by method and status.");
        server.CreateObservableCounter(
            MetricNames.ServerReverseOneWayFailures, () => ObserveReverseCalls(_servers, totals => totals.OneWayFailures), "{call}",
            "One-way calls of the server to its clients that failed after their callers had continued, by method and status.");
        server.CreateObservableCounter(
            MetricNames.GatewayCalls, () => ObserveCalls(_servers, totals => totals.Requests, forwarded: true), "{call}",
            "Calls forwarded and answered, by client, method and status.");
        server.CreateObservableCounter(MetricNames.ServerClosedConnections, () => ObserveEnds(_servers), "{connection}", "Connections closed, by reason.");
        server.CreateObservableCounter(
            MetricNames.ServerRejectedConnections, () => ObserveLimits(PeerLimit.Connections, PeerLimit.PendingHandshakesOfAddress), "{connection}",
            "Connections closed when they were accepted, by limit.");
        server.CreateObservableCounter(
            MetricNames.ServerCutOffConnections, () => ObserveLimits(PeerLimit.TinyFrames, PeerLimit.UnsentOfServer), "{connection}",
            "Connections closed because the peer violated a limit, by limit.");
        server.CreateObservableCounter(
            MetricNames.ServerRefusedCalls, () => ObserveLimits(PeerLimit.RunningHandlers, PeerLimit.ForwardedCalls), "{call}",
            "Calls refused because a shared limit was reached, by limit.");
        server.CreateObservableGauge(MetricNames.ServerQueueTime, () => ObserveAdmission(gate => gate.QueueTime / 1_000_000.0), "s",
            "Time that work waits for a thread: the least of the last 100 ms with work.");
        server.CreateObservableGauge(
            MetricNames.ServerAdmittedShare, () => ObserveAdmission(gate => gate.Share), "1", "Share of the calls that the server takes.");
        server.CreateObservableUpDownCounter(
            MetricNames.ServerHeldBytes, () => ObserveMemory(memory => memory.Used), "By", "Bytes that the server holds for its peers.");
        server.CreateObservableUpDownCounter(
            MetricNames.ServerMaxHeldBytes, () => ObserveMemory(memory => memory.Limit), "By", "Maximum number of bytes that the server holds for its peers.");
        server.CreateObservableCounter(
            MetricNames.ServerFailedTlsHandshakes, HandshakeFailures.Observe, "{handshake}",
            "TLS handshakes that failed at the servers of the process, by reason.");

        Topics = new TopicInstruments(server);
        Groups = new GroupInstruments(server);
        Backplanes = new BackplaneInstruments(server);

        var client = create(MetricNames.ClientMeter);
        ClientCallDuration = CreateDuration(client, MetricNames.ClientCallDuration, "Time from the start of a call to its outcome.");
        client.CreateObservableUpDownCounter(
            MetricNames.ClientConnections, () => Observe(_clients, totals => totals.OpenConnections), "{connection}", "Open connections.");
        client.CreateObservableUpDownCounter(
            MetricNames.ClientActiveCalls, () => Observe(_clients, totals => totals.CallsStarted - totals.Calls.Total), "{call}",
            "Calls without an outcome yet.");
        client.CreateObservableUpDownCounter(
            MetricNames.ClientWaitingCalls, () => Observe(_clients, totals => totals.WaitingCalls), "{call}", "Active calls that wait to be sent.");
        client.CreateObservableCounter(
            MetricNames.ClientCalls, () => ObserveCalls(_clients, totals => totals.Calls), "{call}", "Calls completed, by method and status.");
        client.CreateObservableCounter(
            MetricNames.ClientReverseCalls, () => ObserveReverseCalls(_clients, totals => totals.Requests), "{call}",
            "Calls of servers that the client answered, by method and status.");
        client.CreateObservableCounter(
            MetricNames.ClientOneWayFailures, () => ObserveCalls(_clients, totals => totals.OneWayFailures), "{call}",
            "One-way calls that failed after their callers had continued, by method and status. They count as succeeded among the calls completed.");
        client.CreateObservableCounter(
            MetricNames.ClientAttempts, ObserveAttempts, "{attempt}", "Times that a call was sent again, or a second time, by reason. Not counted as calls.");
        client.CreateObservableUpDownCounter(
            MetricNames.ClientRetryBudget, () => ObserveClients(client => client.RetryBudget), "{attempt}", "Attempts that the retry budget has left.");
        client.CreateObservableUpDownCounter(
            MetricNames.ClientKeptBytes, () => ObserveClients(client => client.KeptBytes), "By", "Bytes of requests kept because they may be sent again.");
        client.CreateObservableCounter(MetricNames.ClientClosedConnections, () => ObserveEnds(_clients), "{connection}", "Connections closed, by reason.");
        client.CreateObservableUpDownCounter(
            MetricNames.ClientEndpoints, ObserveEndpoints, "{endpoint}", "Servers of channels that have several, by state.");
        client.CreateObservableCounter(
            MetricNames.ClientEjections, ObserveEjections, "{ejection}", "Times that a server was left out because it failed too many calls.");
        client.CreateObservableCounter(
            MetricNames.ClientSourceUpdates, ObserveSourceUpdates, "{update}", "What sources of servers have reported, by result.");
        client.CreateObservableCounter(
            MetricNames.ClientDials, () => Observe(_clients, totals => totals.ConnectionsMade), "{connection}", "Connections dialed, or about to be.");

        var transport = create(MetricNames.TransportMeter);
        transport.CreateObservableCounter(MetricNames.TransportIo, ObserveIo, "By", "Bytes on the wire.");
        transport.CreateObservableCounter(MetricNames.TransportFrames, () => ObserveBoth(totals => totals.FramesReceived), "{frame}", "Frames received.");
        transport.CreateObservableCounter(
            MetricNames.TransportSends, () => ObserveBoth(totals => totals.Sends), "{send}", "Times that bytes were passed to the transport.");
        transport.CreateObservableCounter(
            MetricNames.TransportReceives, () => ObserveBoth(totals => totals.Receives), "{receive}", "Batches of bytes received from the transport.");
        transport.CreateObservableUpDownCounter(
            MetricNames.OrderKeys, () => ObserveKeys(keys => keys.Keys), "{key}", "Keys of ordered methods that have calls.");
        transport.CreateObservableUpDownCounter(
            MetricNames.OrderWaitingCalls, () => ObserveKeys(keys => keys.Waiting), "{call}", "Calls that wait for earlier ones of their keys.");
        transport.CreateObservableCounter(
            MetricNames.OrderRefusedCalls, () => ObserveKeys(keys => keys.Refused), "{call}",
            "Calls refused because too many wait for a key, or too many keys have calls.");
        transport.CreateObservableUpDownCounter(
            MetricNames.WorkerThreads, () => ObserveWorkers(workers => workers.Threads), "{thread}", "Threads for user code and for take-overs.");
        transport.CreateObservableUpDownCounter(
            MetricNames.WorkerMaxThreads, () => ObserveWorkers(workers => workers.MaxThreads), "{thread}", "Maximum number of threads.");
        transport.CreateObservableUpDownCounter(
            MetricNames.WorkerWaiting, () => ObserveWorkers(workers => workers.Waiting), "{item}", "Work items that wait for a thread.");
        transport.CreateObservableCounter(
            MetricNames.WorkerRefused, () => ProcessWorkers.Handlers.Refused, "{item}", "Requests refused because too many waited for a thread.");
        transport.CreateObservableCounter(
            MetricNames.TakeOvers, () => TurnMonitor.Shared.TakenOver, "{turn}", "Take-overs by another thread because user code blocked.");
        transport.CreateObservableCounter(
            MetricNames.TakeOversRefused, () => TurnMonitor.Shared.Refused, "{turn}", "Times that no thread was left to take over from blocked user code.");
        transport.CreateObservableUpDownCounter(
            MetricNames.TransportQueuedBytes, () => ObserveBoth(totals => totals.UnsentBytes), "By", "Bytes waiting for the transport.");
    }

    public Histogram<double> ServerCallDuration { get; }

    public Histogram<double> ClientCallDuration { get; }

    public TopicInstruments Topics { get; }

    public GroupInstruments Groups { get; }

    public BackplaneInstruments Backplanes { get; }

    /// <summary>Gets the meters of a factory; null for those of the process.</summary>
    public static MuxMetrics For(IMeterFactory? factory) =>
        factory is null
            ? s_shared.Value
            : s_byFactory.GetValue(factory, key => new MuxMetrics(name => key.Create(new MeterOptions(name) { Version = MuxTelemetry.Version })));

    public void AddServer(MeteredEndpoint server)
    {
        lock (_gate) _servers.Add(server);
    }

    public void AddClient(MeteredEndpoint client)
    {
        lock (_gate) _clients.Add(client);
    }

    /// <summary>Removes a channel or server that has ended, and its counts.</summary>
    public void Remove(MeteredEndpoint endpoint)
    {
        lock (_gate)
        {
            if (!_servers.Remove(endpoint)) _clients.Remove(endpoint);
        }
    }

    /// <summary>Has all instruments sum again, although the last sums are young; for tests, which compare them with what has just happened.</summary>
    public void ForgetSums()
    {
        foreach (var endpoint in Copy(_servers).Concat(Copy(_clients))) endpoint.Snapshot.Forget();
    }

    private static Histogram<double> CreateDuration(Meter meter, string name, string description) =>
        meter.CreateHistogram(name, "s", description, tags: null, new InstrumentAdvice<double> { HistogramBucketBoundaries = s_durationBuckets });

    private MeteredEndpoint[] Copy(List<MeteredEndpoint> endpoints)
    {
        lock (_gate) return [.. endpoints];
    }

    private IEnumerable<Measurement<long>> Observe(List<MeteredEndpoint> endpoints, Func<LedgerTotals, long> value) =>
        Copy(endpoints).Select(endpoint => new Measurement<long>(value(endpoint.Totals), endpoint.Tags));

    private IEnumerable<Measurement<long>> ObserveEndpoints()
    {
        foreach (var client in Copy(_clients))
        {
            if (client.Endpoints?.Invoke() is not { } counts) continue;
            yield return Of(counts.Serving, "serving");
            yield return Of(counts.Connecting, "connecting");
            yield return Of(counts.Ejected, "ejected");
            yield return Of(counts.Leaving, "leaving");

            Measurement<long> Of(int count, string state) => new(count, [.. client.Tags, new(MetricNames.EndpointStateTag, state)]);
        }
    }

    private IEnumerable<Measurement<long>> ObserveEjections()
    {
        foreach (var client in Copy(_clients))
        {
            if (client.Endpoints?.Invoke() is { } counts) yield return new Measurement<long>(counts.Ejections, client.Tags);
        }
    }

    private IEnumerable<Measurement<long>> ObserveSourceUpdates()
    {
        foreach (var client in Copy(_clients))
        {
            if (client.Endpoints?.Invoke() is not { Updates: var updates }) continue;
            yield return Of(updates.Changed, "changed");
            yield return Of(updates.Unchanged, "unchanged");
            yield return Of(updates.Failed, "failed");

            Measurement<long> Of(long count, string result) => new(count, [.. client.Tags, new(MetricNames.SourceResultTag, result)]);
        }
    }

    private IEnumerable<Measurement<long>> ObserveReverseCalls(List<MeteredEndpoint> endpoints, Func<LedgerTotals, CallTally> tally) =>
        Copy(endpoints).SelectMany(endpoint => ObserveCalls(endpoint, endpoint.ReverseMethods(), tally));

    private IEnumerable<Measurement<long>> ObserveCalls(List<MeteredEndpoint> endpoints, Func<LedgerTotals, CallTally> tally, bool forwarded = false) =>
        Copy(endpoints).SelectMany(endpoint => ObserveCalls(endpoint, endpoint.Methods, tally, forwarded));

    private static IEnumerable<Measurement<long>> ObserveCalls(
        MeteredEndpoint endpoint, IEnumerable<MethodDescriptor> methods, Func<LedgerTotals, CallTally> tally, bool forwarded = false)
    {
        var counts = tally(endpoint.Totals);
        foreach (var method in methods.Append(null))
        {
            var client = forwarded && method is not null ? endpoint.ClientOf(method) : null;
            if (forwarded && client is null) continue;
            for (int status = 0; status < CallTally.StatusCount; status++)
            {
                if (counts.CountOf(method, (MuxStatus)status) is not (var count and > 0)) continue;
                yield return new Measurement<long>(count,
                [
                    new(MetricNames.SystemTag, MetricNames.System),
                    .. endpoint.Tags,
                    .. client is null ? [] : new KeyValuePair<string, object?>[] { new(MetricNames.ClientNameTag, client) },
                    new(MetricNames.MethodTag, method?.FullName ?? MetricNames.OtherMethod),
                    new(MetricNames.StatusTag, MetricNames.NameOf((MuxStatus)status)),
                ]);
            }
        }
    }

    private IEnumerable<Measurement<long>> ObserveAttempts() =>
        from endpoint in Copy(_clients)
        let totals = endpoint.Totals
        from reason in Enum.GetValues<Repeat>()
        where reason != Repeat.None && totals.AttemptsOf(reason) > 0
        select new Measurement<long>(totals.AttemptsOf(reason), [.. endpoint.Tags, new(MetricNames.AttemptTag, reason.ToString())]);

    private IEnumerable<Measurement<long>> ObserveClients(Func<MeteredEndpoint, Func<long>?> value) =>
        from endpoint in Copy(_clients)
        let read = value(endpoint)
        where read is not null
        select new Measurement<long>(read(), endpoint.Tags);

    private IEnumerable<Measurement<long>> ObserveEnds(List<MeteredEndpoint> endpoints) =>
        from endpoint in Copy(endpoints)
        let totals = endpoint.Totals
        from reason in Enum.GetValues<CloseReason>()
        where totals.EndsOf(reason) > 0
        select new Measurement<long>(totals.EndsOf(reason), [.. endpoint.Tags, new(MetricNames.ReasonTag, reason.ToString())]);

    private IEnumerable<Measurement<long>> ObserveLimits(PeerLimit first, PeerLimit last) =>
        from endpoint in Copy(_servers)
        let totals = endpoint.Totals
        from limit in Enum.GetValues<PeerLimit>()
        where limit >= first && limit <= last && totals.BreachesOf(limit) > 0
        select new Measurement<long>(totals.BreachesOf(limit), [.. endpoint.Tags, new(MetricNames.LimitTag, limit.ToString())]);

    private IEnumerable<Measurement<long>> ObserveMemory(Func<MemoryBudget, long> value) =>
        from endpoint in Copy(_servers)
        let memory = endpoint.Memory
        where memory is not null
        select new Measurement<long>(value(memory), endpoint.Tags);

    private IEnumerable<Measurement<long>> ObserveKeys(Func<KeyTable, long> value) =>
        from endpoint in Copy(_servers).Concat(Copy(_clients))
        let keys = endpoint.Keys
        where keys is not null
        select new Measurement<long>(value(keys), endpoint.Tags);

    private IEnumerable<Measurement<double>> ObserveAdmission(Func<AdmissionGate, double> value) =>
        from endpoint in Copy(_servers)
        let gate = endpoint.Admission
        where gate is not null
        select new Measurement<double>(value(gate), endpoint.Tags);

    private IEnumerable<Measurement<long>> ObserveBoth(Func<LedgerTotals, long> value) =>
        ObserveRole(_servers, "server", value).Concat(ObserveRole(_clients, "client", value));

    private IEnumerable<Measurement<long>> ObserveRole(
        List<MeteredEndpoint> endpoints, string role, Func<LedgerTotals, long> value, params KeyValuePair<string, object?>[] tags) =>
        Copy(endpoints).Select(endpoint => new Measurement<long>(value(endpoint.Totals), [new(MetricNames.RoleTag, role), .. endpoint.Tags, .. tags]));

    private static IEnumerable<Measurement<int>> ObserveWorkers(Func<Workers, int> value) =>
        ProcessWorkers.All.Select(workers => new Measurement<int>(value(workers), new KeyValuePair<string, object?>(MetricNames.WorkerKindTag, workers.Name)));

    private IEnumerable<Measurement<long>> ObserveIo()
    {
        var receive = new KeyValuePair<string, object?>(MetricNames.DirectionTag, "receive");
        var transmit = new KeyValuePair<string, object?>(MetricNames.DirectionTag, "transmit");
        return ObserveRole(_servers, "server", totals => totals.BytesReceived, receive)
            .Concat(ObserveRole(_servers, "server", totals => totals.BytesSent, transmit))
            .Concat(ObserveRole(_clients, "client", totals => totals.BytesReceived, receive))
            .Concat(ObserveRole(_clients, "client", totals => totals.BytesSent, transmit));
    }
}

/// <summary>The instruments of topics. Safe for concurrent use.</summary>
internal sealed class TopicInstruments
{
    private readonly NamedReadings<ITopicReadings> _topics = new(MetricNames.TopicNameTag);

    public TopicInstruments(Meter server)
    {
        server.CreateObservableCounter(MetricNames.TopicPublished, () => _topics.Observe(topics => topics.Published), "{item}", "Items published.");
        server.CreateObservableCounter(MetricNames.TopicDelivered, () => _topics.Observe(topics => topics.Delivered), "{item}", "Items handed to subscribers.");
        server.CreateObservableCounter(
            MetricNames.TopicMissed, () => _topics.Observe(topics => topics.Missed), "{item}", "Items that subscribers missed because they were too slow.");
        server.CreateObservableUpDownCounter(
            MetricNames.TopicSubscribers, () => _topics.Observe(topics => topics.Subscribers), "{subscriber}", "Subscribers.");
        server.CreateObservableUpDownCounter(
            MetricNames.TopicKeptBytes, () => _topics.Observe(topics => topics.KeptBytes), "By", "Bytes of items kept for slow and for new subscribers.");
    }

    public void Add(ITopicReadings topics) => _topics.Add(topics);
}

/// <summary>The instruments of groups. Safe for concurrent use.</summary>
internal sealed class GroupInstruments
{
    private readonly NamedReadings<IGroupReadings> _groups = new(MetricNames.GroupNameTag);

    public GroupInstruments(Meter server)
    {
        server.CreateObservableCounter(MetricNames.GroupCalls, () => _groups.Observe(groups => groups.Calls), "{call}", "Calls made to groups.");
        server.CreateObservableCounter(
            MetricNames.GroupDelivered, () => _groups.Observe(groups => groups.Delivered), "{call}", "Calls handed to the connections of members.");
        server.CreateObservableCounter(
            MetricNames.GroupMissed, ObserveMissed, "{call}", "Calls that members missed, by the reason.");
        server.CreateObservableUpDownCounter(
            MetricNames.GroupQueued, () => _groups.Observe(groups => groups.Queued), "{call}", "Calls that wait until connections of members have room.");
        server.CreateObservableUpDownCounter(MetricNames.GroupQueuedBytes, () => _groups.Observe(groups => groups.QueuedBytes), "By", "Their bytes.");
        server.CreateObservableUpDownCounter(
            MetricNames.GroupMembers, () => _groups.Observe(groups => groups.Members), "{member}", "Members, each counted for each of its groups.");
        server.CreateObservableUpDownCounter(MetricNames.GroupGroups, () => _groups.Observe(groups => groups.Groups), "{group}", "Groups with members.");
    }

    public void Add(IGroupReadings groups) => _groups.Add(groups);

    private IEnumerable<Measurement<long>> ObserveMissed() => MissReasons.All.SelectMany(
        reason => _groups.Observe(groups => groups.MissedFor(reason), new(MetricNames.MissReasonTag, MissReasons.NameOf(reason))));
}

/// <summary>
/// All objects of one kind that the meters of a factory read, until the garbage collector takes them: nothing ends them. Safe for concurrent use.
/// </summary>
/// <param name="tag">The attribute that holds their names. Numbers of the same name are summed.</param>
internal sealed class NamedReadings<TReadings>(string tag)
    where TReadings : class, INamedReadings
{
    private readonly Lock _gate = new();
    private readonly List<WeakReference<TReadings>> _all = [];

    public void Add(TReadings readings)
    {
        lock (_gate)
        {
            _all.RemoveAll(static one => !one.TryGetTarget(out _));
            _all.Add(new(readings));
        }
    }

    /// <param name="read">Reads a number.</param>
    /// <param name="of">A further attribute of the number; null for none.</param>
    public List<Measurement<long>> Observe(Func<TReadings, long> read, KeyValuePair<string, object?>? of = null)
    {
        lock (_gate)
        {
            var alive = _all.Select(static one => one.TryGetTarget(out var readings) ? readings : null).OfType<TReadings>();
            return [.. alive.GroupBy(readings => readings.Name, StringComparer.Ordinal).Select(all => Sum(all.Key, all.Sum(read), of))];
        }
    }

    private Measurement<long> Sum(string name, long value, KeyValuePair<string, object?>? of)
    {
        var named = new KeyValuePair<string, object?>(tag, name);
        return of is { } other ? new(value, named, other) : new(value, named);
    }
}

/// <summary>The instruments of backplanes, which live until the garbage collector takes them: nothing ends them. Safe for concurrent use.</summary>
internal sealed class BackplaneInstruments
{
    private readonly Lock _gate = new();
    private readonly List<WeakReference<IBackplaneReadings>> _backplanes = [];

    public BackplaneInstruments(Meter server)
    {
        server.CreateObservableCounter(
            MetricNames.BackplanePublished, () => Observe(one => one.Published), "{message}", "Messages given to a backplane for other servers.");
        server.CreateObservableCounter(MetricNames.BackplaneReceived, () => Observe(one => one.Received), "{message}", "Messages received from a backplane.");
        server.CreateObservableCounter(MetricNames.BackplaneRefused, () => Observe(one => one.Refused), "{message}",
            "Messages that other servers did not get, because the backplane was interrupted or too slow.");
        server.CreateObservableCounter(MetricNames.BackplaneSkipped, () => Observe(one => one.Skipped), "{message}",
            "Messages received from a backplane that no server of Mux has written.");
        server.CreateObservableUpDownCounter(
            MetricNames.BackplaneQueued, () => Observe(one => one.Queued), "{message}", "Messages that wait for a backplane.");
        server.CreateObservableUpDownCounter(MetricNames.BackplaneInterrupted, () => Observe(one => one.IsInterrupted ? 1 : 0), "{backplane}",
            "Backplanes that are interrupted.");
    }

    public void Add(IBackplaneReadings backplane)
    {
        lock (_gate)
        {
            _backplanes.RemoveAll(static one => !one.TryGetTarget(out _));
            _backplanes.Add(new(backplane));
        }
    }

    private static Measurement<long> Sum(string name, long value) => new(value, new KeyValuePair<string, object?>(MetricNames.BackplaneNameTag, name));

    private List<Measurement<long>> Observe(Func<IBackplaneReadings, long> read)
    {
        lock (_gate)
        {
            var alive = _backplanes.Select(static one => one.TryGetTarget(out var backplane) ? backplane : null).OfType<IBackplaneReadings>();
            return [.. alive.GroupBy(one => one.Name, StringComparer.Ordinal).Select(all => Sum(all.Key, all.Sum(read)))];
        }
    }
}

/// <summary>Something with a name of which the meters read numbers.</summary>
internal interface INamedReadings
{
    string Name { get; }
}

/// <summary>What the meters read of topics of one kind. Any thread.</summary>
internal interface ITopicReadings : INamedReadings
{
    long Published { get; }

    long Delivered { get; }

    long Missed { get; }

    int Subscribers { get; }

    long KeptBytes { get; }
}

/// <summary>What the meters read of a backplane. Any thread.</summary>
internal interface IBackplaneReadings
{
    string Name { get; }

    long Published { get; }

    long Received { get; }

    long Refused { get; }

    long Skipped { get; }

    int Queued { get; }

    bool IsInterrupted { get; }
}

/// <summary>What the meters read of groups of one kind. Any thread.</summary>
internal interface IGroupReadings : INamedReadings
{
    long Calls { get; }

    long Delivered { get; }

    /// <summary>Calls that wait for members.</summary>
    int Queued { get; }

    long QueuedBytes { get; }

    int Members { get; }

    int Groups { get; }

    long MissedFor(MuxMissReason reason);
}
