using Mux.Discovery;
using Mux.Engine;
using Mux.Runtime;

namespace Mux.Client;

/// <summary>
/// Carries each call of a channel to its one address over a connection of its own (<see cref="MuxConnectionLifetime.PerCall"/>). Safe for concurrent use.
/// </summary>
/// <remarks>
/// The server ends each connection, because the side that ends a TCP connection first keeps its pair of ports for a minute (TIME_WAIT). A server has one port
/// for all its connections and loses nothing. A client takes a new ephemeral port for each, has 28,232 of them on Linux to one server, and would run out at
/// 470 calls per second.
/// </remarks>
internal sealed class PerCallRoute : DialingRoute
{
    private readonly CallLine _waiting;
    private readonly CallConnections _connections;
    private readonly MuxEndpoint _endpoint;
    private readonly string _name;

    public PerCallRoute(ChannelSettings settings)
        : base(settings, hasOthers: false)
    {
        _name = settings.Address!.ToString();
        _endpoint = new MuxEndpoint(settings.Address!);
        _waiting = new CallLine(this, settings.Connection.WaitingLimit);
        Ledger.CallsQueued = () => _waiting.Count;
        _connections = new CallConnections(this, settings, _waiting, _endpoint);
    }

    public override string EndpointOf(OutgoingCall? call) => _name;

    public override IReadOnlyList<MuxEndpointStatus> GetEndpoints() =>
    [
        new MuxEndpointStatus(_endpoint)
        {
            IsOpen = _connections.IsReachable,
            IsEjected = false,
            Calls = _waiting.Count + _connections.Load,
            Connections = _connections.Count,
            Failure = _connections.Failure?.Text,
        },
    ];

    /// <summary>Opens one connection, which shows that the server takes calls of this channel, and leaves its end to the server.</summary>
    public override async Task<OpeningFailure?> OpenAsync(CancellationToken cancellationToken) =>
        await _connections.ProbeAsync(cancellationToken).ConfigureAwait(false) is { } end ? new OpeningFailure(_name, end) : null;

    public override void Start(OutgoingCall call, ReadOnlySpan<byte> body)
    {
        if (_waiting.TryAdd(call, body)) _connections.Dial();
        else FailOutside(call, Disposed);
    }

    protected override async ValueTask DisposePoolsAsync()
    {
        long end = Clock.After(Clock.Now, Settings.DrainTimeout);
        await _waiting.DrainAsync(Settings.DrainTimeout).ConfigureAwait(false);
        UnsentCalls.FailAll(this, _waiting.TakeAll(), Disposed);
        await _connections.DisposeAsync(Math.Max(0, end - Clock.Now)).ConfigureAwait(false);
    }

    protected override void DisposePools()
    {
        _waiting.Close();
        UnsentCalls.FailAll(this, _waiting.TakeAll(), Disposed);
        _connections.Dispose();
    }
}
