using Mux.Connections;
using Mux.Diagnostics;
using Mux.Execution;
using Mux.Transports;

namespace Mux.Dispatch;

/// <summary>Listens, makes a connection of each accepted link, and ends them all in order. Safe for concurrent use.</summary>
internal sealed class ConnectionAcceptor(ServerSettings settings, MethodTable methods) : IConnectionOwner
{
    private readonly Lock _gate = new(); // guards what follows
    private readonly HashSet<Connection> _connections = [];
    private readonly Dictionary<Connection, TaskCompletionSource> _served = []; // of the connections that somebody waits for
    private readonly TaskCompletionSource _allReleased = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private ITransportListener? _listener;
    private MeteredEndpoint? _metered;
    private bool _stopping;
    private readonly RateLimit _refusalLog = new(); // a crowd that dials again and again must not fill the logs
    private readonly RateLimit _blockedLog = new();
    private readonly RateLimit _strangerLog = new();

    public ConnectionLedger Ledger { get; } = new();

    /// <summary>Where it listens; null before <see cref="Start"/>, and of a server that listens nowhere.</summary>
    public MuxAddress? Address => _listener?.Address;

    /// <summary>Whether it takes no links any more. From any thread.</summary>
    public bool IsStopping
    {
        get
        {
            lock (_gate) return _stopping;
        }
    }

    private string AddressText => Address?.ToString() ?? "none";

    /// <exception cref="IOException">The address cannot be listened at.</exception>
    public void Start()
    {
        lock (_gate) // no link is taken before everybody knows the real address
        {
            if (settings.Address is { } address) _listener = settings.Transport.Listen(address, Accept);
            settings.Durations.Tag = new(MetricNames.ServerAddressTag, AddressText);
        }

        _metered = new MeteredEndpoint(Ledger, () => methods.Descriptors, settings.Durations.Tag);
        settings.Metrics.AddServer(_metered);
        TellStart(AddressText);
    }

    /// <summary>Serves a link that was accepted elsewhere, within the same limits as those accepted here; one that they refuse is closed at once.</summary>
    /// <param name="link">Not started.</param>
    /// <param name="cancellationToken">Cancelling it begins to end the connection in order.</param>
    /// <returns>Ends when the connection is released.</returns>
    public async Task ServeAsync(Link link, CancellationToken cancellationToken)
    {
        var released = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        if (TryAccept(link, released) is not { } connection) return;
        await using var registration = cancellationToken.UnsafeRegister(_ => connection.BeginDrain(settings.DrainTimeout), null).ConfigureAwait(false);
        await released.Task.ConfigureAwait(false);
    }

    /// <summary>Stops accepting, lets open calls finish within the drain timeout, and ends all connections. May be called repeatedly.</summary>
    /// <param name="cancellationToken">Ends the waiting for calls, not the stopping.</param>
    public async Task StopAsync(CancellationToken cancellationToken)
    {
        BeginStop(settings.DrainTimeout);
        await using var registration = cancellationToken.UnsafeRegister(static state => ((ConnectionAcceptor)state!).EndGrace(), this).ConfigureAwait(false);
        try
        {
            // A connection ends by itself within this time, unless user code blocks its turn for longer.
            var limit = TimeSpan.FromMicroseconds(settings.DrainTimeout + 2 * settings.Connection.DrainAcknowledgeTimeout);
            await _allReleased.Task.WaitAsync(limit, settings.Clock.Provider, CancellationToken.None).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            int left;
            lock (_gate) left = _connections.Count;
            ServerLog.DrainIncomplete(settings.Logger, left);
        }

        if (_metered is not null) settings.Metrics.Remove(_metered);
    }

    /// <summary>Stops accepting and lets all connections end without waiting for open calls, or for anything. May be called repeatedly, also beside <see cref="StopAsync"/>.</summary>
    public void Stop()
    {
        BeginStop(grace: 0);
        if (_metered is not null) settings.Metrics.Remove(_metered);
    }

    public void OnOpened(Connection connection) => ServerLog.ConnectionOpened(settings.Logger, connection.RemoteAddress, connection.Peer.PeerName);

    public void OnDraining(Connection connection, bool byPeer)
    {
        // The client takes no calls from here any more, and none are made.
    }

    public void OnWithdrawn(Connection connection, OutgoingCall call) =>
        call.OnFailed(new(MuxStatus.Unavailable, MuxExecution.NotExecuted, MuxPhase.Queue, "The client drains."), inTurn: false);

    public void OnUserCodeFailed(Connection connection, Exception error) => ServerLog.CallbackFailed(settings.Logger, error);

    public void OnBlocked(Connection connection, Placement? code, bool refused)
    {
        if (_blockedLog.TryPass(settings.Clock.Now, out int others)) ExecutionLog.Blocked(settings.Logger, code, refused, others);
    }

    public void OnEnded(Connection connection, ConnectionEnd end)
    {
        Ledger.CountEnd(end.Reason);
        if (end.Reason == CloseReason.AuthFailed && _strangerLog.TryPass(settings.Clock.Now, out int others)) ServerLog.AuthenticationFailed(settings.Logger, connection.RemoteAddress, end.Text, others);
        ServerLog.ConnectionClosed(settings.Logger, connection.RemoteAddress, end.Reason, end.Text, end.Error);
    }

    public void OnReleased(Connection connection)
    {
        Ledger.Retire(connection);
        TaskCompletionSource? released;
        lock (_gate)
        {
            _connections.Remove(connection);
            _served.Remove(connection, out released);
            if (_stopping && _connections.Count == 0) _allReleased.TrySetResult();
        }

        released?.TrySetResult();
    }

    private void Accept(Link link) => TryAccept(link, released: null);

    /// <returns>A connection that is started, or null if it may not be; then the link is closed.</returns>
    private Connection? TryAccept(Link link, TaskCompletionSource? released)
    {
        var connection = new Connection(link, settings.Connection, this, methods, settings.Clock, accepting: true);
        bool accepted, stopping;
        int open;
        lock (_gate)
        {
            stopping = _stopping;
            open = _connections.Count;
            accepted = !stopping && Ledger.TryAdd(connection, settings.MaxConnections) && _connections.Add(connection);
            if (accepted && released is not null) _served.Add(connection, released);
        }

        if (accepted)
        {
            connection.Start();
            return connection;
        }

        if (!stopping) TellRefusal(link, open);
        link.Close();
        return null;
    }

    private void TellStart(string address)
    {
        var services = string.Join(", ", methods.Services);
        ServerLog.Listening(settings.Logger, address, services.Length > 0 ? services : "nothing");
        if (services.Length == 0) ServerLog.ServesNothing(settings.Logger, address);
    }

    private void TellRefusal(Link link, int open)
    {
        if (_refusalLog.TryPass(settings.Clock.Now, out int others)) ServerLog.ConnectionRefused(settings.Logger, link.RemoteAddress, DescribeLimit(open), others);
    }

    /// <summary>A peer that leaves while its handlers run keeps its place, else it would come back and begin as many again.</summary>
    private string DescribeLimit(int open) =>
        $"MaxConnections is {settings.MaxConnections}; open are {open}, gone with handlers that still run are {settings.MaxConnections - open}.";

    private void BeginStop(long grace)
    {
        Connection[] connections;
        lock (_gate)
        {
            bool first = !_stopping;
            _stopping = true;
            connections = [.. _connections];
            if (connections.Length == 0) _allReleased.TrySetResult();
            if (first && _metered is not null) ServerLog.Stopped(settings.Logger, AddressText);
        }

        _listener?.Dispose();
        foreach (var connection in connections) connection.BeginDrain(grace);
    }

    private void EndGrace()
    {
        Connection[] connections;
        lock (_gate) connections = [.. _connections];
        foreach (var connection in connections) connection.BeginDrain(0);
    }
}
