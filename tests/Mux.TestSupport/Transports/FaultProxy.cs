using System.Net;
using System.Net.Sockets;

namespace Mux.TestSupport.Transports;

/// <summary>
/// A TCP proxy on 127.0.0.1 that does to real connections what networks do: slice, stall, reset, fall silent, cut what is idle. For tests over real sockets and processes,
/// which tell it when: it waits for no time of its own. What takes time on networks, the proxy of <c>mux chaos</c> does.
/// </summary>
public sealed class FaultProxy : IAsyncDisposable
{
    private readonly MuxAddress _target;
    private readonly Socket _listener = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
    private readonly CancellationTokenSource _stopping = new();
    private readonly Lock _gate = new(); // guards the connections
    private readonly List<FaultProxyConnection> _connections = [];
    private readonly Task _accepting;

    private FaultProxy(MuxAddress target, TimeSpan idleLimit, TimeProvider time)
    {
        _target = target;
        (IdleLimit, Time) = (idleLimit, time);
        _listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        _listener.Listen();
        Address = MuxAddress.Parse($"mux://{_listener.LocalEndPoint}");
        _accepting = AcceptAsync();
    }

    /// <summary>Where clients connect.</summary>
    public MuxAddress Address { get; }

    public FaultProxyDirection ToServer { get; } = new("to the server");

    public FaultProxyDirection ToClient { get; } = new("to the client");

    /// <summary>Connections made through the proxy so far.</summary>
    public Counter Accepted { get; } = new("connections through the proxy");

    /// <summary>Connections that were reset because nothing went through them for the limit of <see cref="Start(MuxAddress, TimeSpan, TimeProvider)"/>.</summary>
    public Counter Cut { get; } = new("idle connections cut by the proxy");

    internal TimeSpan IdleLimit { get; }

    internal TimeProvider Time { get; }

    /// <summary>Whether connections are half-open, see <see cref="FallSilent"/>.</summary>
    internal bool IsSilent { get; private set; }

    /// <summary>Starts one in front of a TCP server.</summary>
    public static FaultProxy Start(MuxAddress target) => new(target, Timeout.InfiniteTimeSpan, TimeProvider.System);

    /// <summary>Starts one that resets, at both ends, a connection through which no byte went for so long, as load balancers do.</summary>
    public static FaultProxy Start(MuxAddress target, TimeSpan idleLimit, TimeProvider time) => new(target, idleLimit, time);

    /// <summary>Resets all connections, at both ends.</summary>
    public void ResetAll()
    {
        foreach (var connection in Connections()) connection.Reset();
    }

    /// <summary>From now on nothing gets through and no end of a connection is passed on: both sides believe that the other is still there.</summary>
    public void FallSilent() => IsSilent = true;

    public async ValueTask DisposeAsync()
    {
        await _stopping.CancelAsync();
        _listener.Dispose();
        await _accepting;
        foreach (var connection in Connections()) await connection.StopAsync();
        _stopping.Dispose();
    }

    private async Task AcceptAsync()
    {
        try
        {
            while (true)
            {
                var client = await _listener.AcceptAsync(_stopping.Token);
                var connection = await FaultProxyConnection.ConnectAsync(this, client, _target, _stopping.Token);
                if (connection is null) continue;
                lock (_gate) _connections.Add(connection);
                Accepted.Add();
            }
        }
        catch (OperationCanceledException)
        {
            // Disposed.
        }
    }

    private FaultProxyConnection[] Connections()
    {
        lock (_gate) return [.. _connections];
    }
}
