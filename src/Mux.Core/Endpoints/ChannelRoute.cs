using System.Collections.Concurrent;
using Mux.Calls;
using Mux.Contracts;
using Mux.Diagnostics;
using Mux.Execution;
using Mux.Sessions.Calls;
using Mux.Timing;

namespace Mux.Endpoints;

/// <summary>Carries the calls of a channel to one address, over the connections of its pool. Safe for concurrent use.</summary>
internal sealed class ChannelRoute : CallRoute, IPoolOwner, IAsyncDisposable
{
    private readonly ChannelSettings _settings;
    private readonly LeastLoadedChoice _choice;
    private readonly ConcurrentDictionary<int, MethodDescriptor> _methods = new(concurrencyLevel: 1, capacity: 3); // methods of the proxies made so far
    private readonly MeteredEndpoint _metered;
    private readonly ContractDifferences _differences;
    private readonly RateLimit _blockedLog = new();

    public ChannelRoute(ChannelSettings settings)
        : base(settings.Calls)
    {
        _settings = settings;
        Pool = new ConnectionPool(settings, Ledger, this);
        _differences = new ContractDifferences(settings.Calls.Clock);
        _choice = new LeastLoadedChoice(Pool);
        _metered = new MeteredEndpoint(Ledger, settings.Calls.Clock, () => _methods.Values, settings.Tags);
        settings.Metrics.AddClient(_metered);
        Durations.Log.Watch();
    }

    public ConnectionPool Pool { get; }

    public override string EndpointOf(OutgoingCall? call) => Pool.Endpoint;

    public override void Register(MethodDescriptor method) => _methods.TryAdd(method.Index, method);

    public override void Start(OutgoingCall call, ReadOnlySpan<byte> body)
    {
        var pause = default(SpinWait); // while another thread that ended a connection has not yet taken it out of its slot
        while (_choice.Pick() is { } connection)
        {
            if (connection.Initiator.TryStart(call, body)) return;
            pause.SpinOnce();
        }

        Ledger.CountOutside(call.Method, MuxStatus.Unavailable);
        CallHolder.Fail(call, new(MuxStatus.Unavailable, MuxExecution.NotExecuted, MuxCallPhase.Queue, "The channel is disposed."));
    }

    public void OnWithdrawn(OutgoingCall call) => StartAgain(call);

    public override void OnUserCodeFailed(Exception error) => ClientLog.ContinuationFailed(_settings.Logger, _settings.Name, error);

    public void OnContractDiffers(MethodDescriptor method, string messages) =>
        _differences.Tell(method, others => ClientLog.ContractDiffers(_settings.Logger, _settings.Name, Pool.Endpoint, messages, method.FullName, others));

    public void OnBlocked(Placement? code, bool refused)
    {
        if (_blockedLog.TryPass(Clock.Now, out int others)) ExecutionLog.Blocked(_settings.Logger, code, refused, others);
    }

    /// <inheritdoc/>
    public override void OnStalled(WorkStall stall) => ExecutionLog.Stalled(_settings.Logger, stall);

    /// <inheritdoc cref="ConnectionPool.DisposeAsync"/>
    public async ValueTask DisposeAsync()
    {
        await Pool.DisposeAsync().ConfigureAwait(false);
        EndTelemetry();
    }

    /// <inheritdoc cref="ConnectionPool.Dispose"/>
    public void Dispose()
    {
        Pool.Dispose();
        EndTelemetry();
    }

    private void EndTelemetry()
    {
        _settings.Metrics.Remove(_metered);
        Durations.Log.Unwatch();
    }
}
