namespace Mux.Telemetry;

/// <summary>
/// Names of all metrics, and of the attributes of metrics and spans. They follow OpenTelemetry's conventions for RPC where there are any, in the first version
/// that is stable, 1.45; otherwise the pattern of the framework's meters.
/// </summary>
internal static class MetricNames
{
    public const string ServerMeter = "Mux.Server";
    public const string ClientMeter = "Mux.Client";
    public const string TransportMeter = "Mux.Transport";

    public const string ServerConnections = "mux.server.active_connections";
    public const string ServerActiveCalls = "mux.server.active_calls";
    public const string ServerParkedCalls = "mux.server.parked_calls";
    public const string ServerCalls = "mux.server.calls";
    public const string ServerClosedConnections = "mux.server.closed_connections";
    public const string ServerRejectedConnections = "mux.server.rejected_connections";
    public const string ServerCutOffConnections = "mux.server.cut_off_connections";
    public const string ServerFailedTlsHandshakes = "mux.server.failed_tls_handshakes";
    public const string ServerRefusedCalls = "mux.server.refused_calls";
    public const string ServerQueueTime = "mux.server.queue_time";
    public const string ServerAdmittedShare = "mux.server.admitted_share";
    public const string ServerHeldBytes = "mux.server.held_bytes";
    public const string ServerMaxHeldBytes = "mux.server.max_held_bytes";
    public const string ServerReverseCalls = "mux.server.reverse_calls";
    public const string ServerReverseOneWayFailures = "mux.server.reverse_one_way_failures";
    public const string GatewayCalls = "mux.gateway.calls";
    public const string ServerCallDuration = "rpc.server.call.duration";

    public const string OrderKeys = "mux.order.keys";
    public const string OrderWaitingCalls = "mux.order.waiting_calls";
    public const string OrderRefusedCalls = "mux.order.refused_calls";

    public const string TopicPublished = "mux.topic.published";
    public const string TopicDelivered = "mux.topic.delivered";
    public const string TopicMissed = "mux.topic.missed";
    public const string TopicSubscribers = "mux.topic.subscribers";
    public const string TopicKeptBytes = "mux.topic.kept_bytes";

    public const string GroupCalls = "mux.group.calls";
    public const string GroupDelivered = "mux.group.delivered";
    public const string GroupMissed = "mux.group.missed";
    public const string GroupQueued = "mux.group.queued";
    public const string GroupQueuedBytes = "mux.group.queued_bytes";
    public const string GroupMembers = "mux.group.members";
    public const string GroupGroups = "mux.group.groups";

    public const string BackplanePublished = "mux.backplane.published";
    public const string BackplaneReceived = "mux.backplane.received";
    public const string BackplaneRefused = "mux.backplane.refused";
    public const string BackplaneSkipped = "mux.backplane.skipped";
    public const string BackplaneQueued = "mux.backplane.queued";
    public const string BackplaneInterrupted = "mux.backplane.interrupted";

    public const string ClientConnections = "mux.client.open_connections";
    public const string ClientActiveCalls = "mux.client.active_calls";
    public const string ClientWaitingCalls = "mux.client.waiting_calls";
    public const string ClientCalls = "mux.client.calls";
    public const string ClientReverseCalls = "mux.client.reverse_calls";
    public const string ClientOneWayFailures = "mux.client.one_way_failures";
    public const string ClientAttempts = "mux.client.attempts";
    public const string ClientRetryBudget = "mux.client.retry_budget";
    public const string ClientKeptBytes = "mux.client.kept_bytes";
    public const string ClientClosedConnections = "mux.client.closed_connections";
    public const string ClientEndpoints = "mux.client.endpoints";
    public const string ClientEjections = "mux.client.ejections";
    public const string ClientSourceUpdates = "mux.client.source_updates";
    public const string ClientDials = "mux.client.dials";
    public const string ClientCallDuration = "rpc.client.call.duration";

    public const string WorkerThreads = "mux.worker.threads";
    public const string WorkerMaxThreads = "mux.worker.max_threads";
    public const string WorkerWaiting = "mux.worker.waiting";
    public const string WorkerRefused = "mux.worker.refused";
    public const string TakeOvers = "mux.worker.take_overs";
    public const string TakeOversRefused = "mux.worker.refused_take_overs";

    public const string TransportIo = "mux.transport.io";
    public const string TransportFrames = "mux.transport.frames";
    public const string TransportSends = "mux.transport.sends";
    public const string TransportReceives = "mux.transport.receives";
    public const string TransportQueuedBytes = "mux.transport.queued_bytes";

    public const string TopicNameTag = "mux.topic.name";
    public const string GroupNameTag = "mux.group.name";
    public const string MissReasonTag = "mux.group.miss_reason";
    public const string BackplaneNameTag = "mux.backplane.name";
    public const string SystemTag = "rpc.system.name";
    public const string System = "mux";
    public const string MethodTag = "rpc.method";
    public const string OtherMethod = "_OTHER";
    public const string OriginalMethodTag = "rpc.method_original";

    /// <summary>
    /// The name in the stable text: version 1.45 renamed <c>rpc.response.status_code</c> of the release candidates 1.39 to 1.44
    /// (open-telemetry/semantic-conventions#3921), because a status may also come from the client itself.
    /// </summary>
    public const string StatusTag = "rpc.status_code";

    public const string ErrorTag = "error.type";
    public const string ClientNameTag = "mux.client.name";
    public const string ServerAddressTag = "server.address";
    public const string ServerPortTag = "server.port";
    public const string PeerAddressTag = "network.peer.address";
    public const string PeerPortTag = "network.peer.port";

    /// <summary>Not of the conventions for RPC, which have <see cref="PeerAddressTag"/> alone; general dashboards look for it.</summary>
    public const string ClientAddressTag = "client.address";

    public const string RoleTag = "mux.role";
    public const string ReasonTag = "mux.close.reason";
    public const string AttemptTag = "mux.attempt.reason";
    public const string TlsFailureTag = "mux.tls.failure";
    public const string LimitTag = "mux.limit";
    public const string EndpointStateTag = "mux.endpoint.state";
    public const string SourceResultTag = "mux.source.result";
    public const string WorkerKindTag = "mux.worker.kind";
    public const string DirectionTag = "network.io.direction";

    private static readonly string[] s_statuses =
    [
        "OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED",
        "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED",
    ];

    /// <summary>Gets gRPC's name of a status.</summary>
    public static string NameOf(MuxStatus status) => (uint)status < (uint)s_statuses.Length ? s_statuses[(int)status] : s_statuses[(int)MuxStatus.Unknown];
}
