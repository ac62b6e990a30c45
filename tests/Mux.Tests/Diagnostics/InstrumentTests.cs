using System.Diagnostics.Metrics;
using Mux.Contracts;
using Mux.Engine;
using Mux.Runtime;
using Mux.Telemetry;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;

namespace Mux.Tests.Diagnostics;

/// <summary>Dashboards and alerts name instruments and attributes: both are a contract, written down here a second time.</summary>
public sealed class InstrumentTests : EndToEndTests
{
    private static readonly string[] s_instruments =
    [
        "Mux.Client mux.client.active_calls {call} ObservableUpDownCounter", "Mux.Client mux.client.attempts {attempt} ObservableCounter",
        "Mux.Client mux.client.calls {call} ObservableCounter", "Mux.Client mux.client.closed_connections {connection} ObservableCounter",
        "Mux.Client mux.client.dials {connection} ObservableCounter",
        "Mux.Client mux.client.ejections {ejection} ObservableCounter", "Mux.Client mux.client.endpoints {endpoint} ObservableUpDownCounter",
        "Mux.Client mux.client.kept_bytes By ObservableUpDownCounter", "Mux.Client mux.client.one_way_failures {call} ObservableCounter", "Mux.Client mux.client.open_connections {connection} ObservableUpDownCounter",
        "Mux.Client mux.client.retry_budget {attempt} ObservableUpDownCounter", "Mux.Client mux.client.reverse_calls {call} ObservableCounter", "Mux.Client mux.client.source_updates {update} ObservableCounter", "Mux.Client mux.client.waiting_calls {call} ObservableUpDownCounter", "Mux.Client rpc.client.call.duration s Histogram",
        "Mux.Server mux.backplane.interrupted {backplane} ObservableUpDownCounter", "Mux.Server mux.backplane.published {message} ObservableCounter",
        "Mux.Server mux.backplane.queued {message} ObservableUpDownCounter", "Mux.Server mux.backplane.received {message} ObservableCounter",
        "Mux.Server mux.backplane.refused {message} ObservableCounter", "Mux.Server mux.backplane.skipped {message} ObservableCounter",
        "Mux.Server mux.gateway.calls {call} ObservableCounter",
        "Mux.Server mux.group.calls {call} ObservableCounter", "Mux.Server mux.group.delivered {call} ObservableCounter",
        "Mux.Server mux.group.groups {group} ObservableUpDownCounter", "Mux.Server mux.group.members {member} ObservableUpDownCounter",
        "Mux.Server mux.group.missed {call} ObservableCounter",
        "Mux.Server mux.group.queued {call} ObservableUpDownCounter", "Mux.Server mux.group.queued_bytes By ObservableUpDownCounter",
        "Mux.Server mux.server.active_calls {call} ObservableUpDownCounter", "Mux.Server mux.server.active_connections {connection} ObservableUpDownCounter",
        "Mux.Server mux.server.admitted_share 1 ObservableGauge",
        "Mux.Server mux.server.calls {call} ObservableCounter", "Mux.Server mux.server.closed_connections {connection} ObservableCounter",
        "Mux.Server mux.server.cut_off_connections {connection} ObservableCounter", "Mux.Server mux.server.failed_tls_handshakes {handshake} ObservableCounter",
        "Mux.Server mux.server.held_bytes By ObservableUpDownCounter", "Mux.Server mux.server.max_held_bytes By ObservableUpDownCounter",
        "Mux.Server mux.server.parked_calls {call} ObservableUpDownCounter",
        "Mux.Server mux.server.queue_time s ObservableGauge",
        "Mux.Server mux.server.refused_calls {call} ObservableCounter", "Mux.Server mux.server.rejected_connections {connection} ObservableCounter",
        "Mux.Server mux.server.reverse_calls {call} ObservableCounter", "Mux.Server mux.server.reverse_one_way_failures {call} ObservableCounter",
        "Mux.Server mux.topic.delivered {item} ObservableCounter", "Mux.Server mux.topic.kept_bytes By ObservableUpDownCounter",
        "Mux.Server mux.topic.missed {item} ObservableCounter", "Mux.Server mux.topic.published {item} ObservableCounter",
        "Mux.Server mux.topic.subscribers {subscriber} ObservableUpDownCounter",
        "Mux.Server rpc.server.call.duration s Histogram",
        "Mux.Transport mux.order.keys {key} ObservableUpDownCounter", "Mux.Transport mux.order.refused_calls {call} ObservableCounter",
        "Mux.Transport mux.order.waiting_calls {call} ObservableUpDownCounter",
        "Mux.Transport mux.transport.frames {frame} ObservableCounter", "Mux.Transport mux.transport.io By ObservableCounter",
        "Mux.Transport mux.transport.queued_bytes By ObservableUpDownCounter", "Mux.Transport mux.transport.receives {receive} ObservableCounter",
        "Mux.Transport mux.transport.sends {send} ObservableCounter", "Mux.Transport mux.worker.max_threads {thread} ObservableUpDownCounter",
        "Mux.Transport mux.worker.refused {item} ObservableCounter", "Mux.Transport mux.worker.refused_take_overs {turn} ObservableCounter",
        "Mux.Transport mux.worker.take_overs {turn} ObservableCounter", "Mux.Transport mux.worker.threads {thread} ObservableUpDownCounter",
        "Mux.Transport mux.worker.waiting {item} ObservableUpDownCounter",
    ];

    private const string Client = "mux.client.name server.address server.port", Server = "server.address server.port";
    private const string Call = "rpc.method rpc.status_code rpc.system.name";

    /// <summary>Attributes in the order of their names; what is of both sides is there twice.</summary>
    private static readonly string[] s_attributes =
    [
        $"mux.client.active_calls {Client}", $"mux.client.attempts mux.attempt.reason {Client}", $"mux.client.calls mux.client.name {Call} {Server}",
        $"mux.client.closed_connections mux.client.name mux.close.reason {Server}", $"mux.client.dials {Client}",
        $"mux.client.ejections {Client}",
        $"mux.client.endpoints mux.client.name mux.endpoint.state {Server}", $"mux.client.kept_bytes {Client}", $"mux.client.open_connections {Client}",
        $"mux.client.retry_budget {Client}", $"mux.client.source_updates mux.client.name mux.source.result {Server}", $"mux.client.waiting_calls {Client}",
        $"mux.gateway.calls mux.client.name {Call} {Server}",
        $"mux.server.active_calls {Server}", $"mux.server.active_connections {Server}", $"mux.server.calls {Call} {Server}", $"mux.server.closed_connections mux.close.reason {Server}",
        $"mux.server.cut_off_connections mux.limit {Server}", $"mux.server.failed_tls_handshakes mux.tls.failure {Server}", $"mux.server.held_bytes {Server}",
        $"mux.server.max_held_bytes {Server}", $"mux.server.parked_calls {Server}", $"mux.server.refused_calls mux.limit {Server}", $"mux.server.rejected_connections mux.limit {Server}",
        $"mux.transport.frames mux.client.name mux.role {Server}", $"mux.transport.frames mux.role {Server}",
        $"mux.transport.io mux.client.name mux.role network.io.direction {Server}", $"mux.transport.io mux.role network.io.direction {Server}",
        $"mux.transport.queued_bytes mux.client.name mux.role {Server}", $"mux.transport.queued_bytes mux.role {Server}",
        $"mux.transport.receives mux.client.name mux.role {Server}", $"mux.transport.receives mux.role {Server}",
        $"mux.transport.sends mux.client.name mux.role {Server}", $"mux.transport.sends mux.role {Server}",
        "mux.worker.max_threads mux.worker.kind", "mux.worker.refused", "mux.worker.refused_take_overs", "mux.worker.take_overs", "mux.worker.threads mux.worker.kind",
        "mux.worker.waiting mux.worker.kind",
    ];

    [Fact]
    public void Every_instrument_has_the_name_the_unit_and_the_kind_that_were_agreed()
    {
        using var meters = new MeterReadings();
        MuxMetrics.For(meters);
        var published = new List<string>();
        using var listener = new MeterListener();
        listener.InstrumentPublished = (instrument, _) =>
        {
            if (instrument.Meter.Scope == meters) published.Add($"{instrument.Meter.Name} {instrument.Name} {instrument.Unit} {instrument.GetType().Name.Split('`')[0]}");
        };
        listener.Start();

        Assert.Equal(s_instruments, published.Order(StringComparer.Ordinal));
    }

    [Fact(Timeout = TestLimit)]
    public async Task Every_measurement_has_the_attributes_that_were_agreed()
    {
        var scene = Begin(TransportKind.Tcp);
        var service = scene.StartServer(server => server.AddService<IDesk>(new Desk()));
        var gateway = scene.StartServer(server => server.AddRoute(new MuxRoute("*", scene.CreateChannel(service))));
        await scene.CreateChannel(gateway).CreateProxy<IDesk>().AskPlainly(new Question());
        await Eventually.Holds(() => scene.Meters.Read().Any(reading => reading.Instrument == "mux.gateway.calls"), "the call of the gateway"); // counted after its reply has left
        using var rare = new MeterReadings();
        var address = MuxAddress.Parse("mux://shop.example:7070");
        Publish(rare, AddressTags.Of(address));
        var failures = new HandshakeFailures(); // of all servers of the process
        failures.Count(TlsFailure.Timeout);
        failures.Publish(address);
        var readings = scene.Meters.Read().Concat(rare.Read()).ToList();
        failures.Withdraw();

        var seen = readings.Select(reading => string.Join(' ', [reading.Instrument, .. reading.Tags.Select(tag => tag.Key).Order(StringComparer.Ordinal)]));
        Assert.Equal(s_attributes, seen.Distinct().Order(StringComparer.Ordinal));
        Assert.Equal(["client", "server"], ValuesOf("mux.transport.io", "mux.role"));
        Assert.Equal(["receive", "transmit"], ValuesOf("mux.transport.io", "network.io.direction"));
        Assert.Equal(["callback", "completion", "engine", "handler", "leader", "overdue"], ValuesOf("mux.worker.threads", "mux.worker.kind"));
        string[] rejecting = ["Connections", "PendingHandshakes", "PendingHandshakesOfAddress"], refusing = ["ForwardedCalls", "HeldBytes", "HeldBytesOfAddress", "QueueTime", "RunningHandlers"];
        Assert.Equal(rejecting, ValuesOf("mux.server.rejected_connections", "mux.limit"));
        Assert.Equal(refusing, ValuesOf("mux.server.refused_calls", "mux.limit"));
        Assert.Equal(Enum.GetNames<PeerLimit>().Except([.. rejecting, .. refusing]).Order(StringComparer.Ordinal), ValuesOf("mux.server.cut_off_connections", "mux.limit"));

        IEnumerable<string?> ValuesOf(string instrument, string attribute) => readings.Where(reading => reading.Instrument == instrument)
            .Select(reading => reading.Tag(attribute)).Distinct().Order(StringComparer.Ordinal);
    }

    /// <summary>Publishes a server and a client to which everything has happened that does not happen in an ordinary call.</summary>
    private static void Publish(MeterReadings meters, KeyValuePair<string, object?>[] address)
    {
        var ledger = new ConnectionLedger();
        foreach (var limit in Enum.GetValues<PeerLimit>()) ledger.CountLimit(limit);
        ledger.CountEnd(CloseReason.Idle);
        ledger.CountHedge();
        var clock = new Clock(new ManualTime());
        IEnumerable<MethodDescriptor> methods = [];
        var metrics = MuxMetrics.For(meters);
        metrics.AddServer(new MeteredEndpoint(ledger, clock, () => methods, address) { Memory = new MemoryBudget(limit: 1_000, perAddress: 1_000) });
        metrics.AddClient(new MeteredEndpoint(ledger, clock, () => methods, [new("mux.client.name", "default"), .. address])
        {
            Endpoints = () => new EndpointCounts(Serving: 1, Connecting: 1, Ejected: 1, Leaving: 1, Ejections: 1),
        });
    }
}
