using System.Net;
using System.Net.Sockets;

namespace Mux.TestSupport.Transports;

/// <summary>
/// A TCP proxy on 127.0.0.1 that does to real connections what networks do: delay, throttle, slice, stall, reset, fall silent. For tests over real
/// sockets and processes.
/// </summary>
public sealed class FaultProxy : IAsyncDisposable
{
    private readonly MuxAddress _target;
    private readonly Socket _listener = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
    private readonly CancellationTokenSource _stopping = new();
    private readonly Lock _gate = new(); // guards the connections
    private readonly List<FaultProxyConnection> _connections = [];
    private readonly Task _accepting;

    private FaultProxy(MuxAddress target)
    {
        _target = target;
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

    /// <summary>Whether connections are half-open, see <see cref="FallSilent"/>.</summary>
    internal bool IsSilent { get; private set; }

    /// <summary>Starts one in front of a TCP server.</summary>
    public static FaultProxy Start(MuxAddress target) => new(target);

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
