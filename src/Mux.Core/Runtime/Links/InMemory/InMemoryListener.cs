using System.Diagnostics;
using Mux.Transports;
using Mux.Transports.InMemory;

namespace Mux.Runtime;

/// <summary>An address within the transport at which links are accepted.</summary>
internal sealed class InMemoryListener(MuxAddress address, Action<Link> accepted, Action<InMemoryListener> disposed) : ITransportListener
{
    private volatile bool _disposed;

    public MuxAddress Address => address;

    /// <summary>Passes a link to the callback, on the pump.</summary>
    public void Accept(Link link)
    {
        if (_disposed)
        {
            link.Close();
            return;
        }

        try
        {
            accepted(link);
        }
        catch (Exception) // by contract, an exception of the callback only closes the link
        {
            link.Close();
        }
    }

    public void Dispose()
    {
        _disposed = true;
        disposed(this);
    }
}

/// <summary>Listeners and connections of one transport.</summary>
internal sealed class InMemoryNetwork
{
    private readonly InMemoryTransportOptions _options;
    private readonly Random? _random;
    private readonly Dictionary<MuxAddress, InMemoryListener> _listeners = [];
    private readonly List<InMemoryConnection> _connections = [];
    private long _connectionsMade;
    private int _lastPort;

    public InMemoryNetwork(InMemoryTransportOptions options)
    {
        _options = options;
        _random = options.Seed is { } seed ? new Random(seed) : null;
        Pump = new InMemoryPump(options.ManualPump);
    }

    public InMemoryPump Pump { get; }

    /// <summary>A snapshot of the connections, oldest first.</summary>
    public InMemoryConnection[] Connections
    {
        get
        {
            using (Pump.Enter()) return [.. _connections];
        }
    }

    /// <exception cref="IOException">The address is in use.</exception>
    public InMemoryListener Listen(MuxAddress address, Action<Link> accepted)
    {
        using (Pump.Enter())
        {
            if (address is { Scheme: MuxAddress.TcpScheme, Port: 0 }) address = WithFreePortLocked(address);
            var listener = new InMemoryListener(address, accepted, Remove);
            if (!_listeners.TryAdd(address, listener)) throw new IOException($"Cannot listen at {address}: the address is in use.");
            return listener;
        }
    }

    private void Remove(InMemoryListener listener)
    {
        using (Pump.Enter())
        {
            if (_listeners.GetValueOrDefault(listener.Address) == listener) _listeners.Remove(listener.Address);
        }
    }

    /// <summary>Connects a dialing link and posts the other end to the listener. False if there is no listener. Requires the gate.</summary>
    public bool TryConnectLocked(InMemoryLink dialer, MuxAddress address)
    {
        Debug.Assert(Pump.IsHeldByCurrentThread);
        if (!_listeners.TryGetValue(address, out var listener)) return false;
        var acceptor = new InMemoryLink(this, listener);
        var toListener = new InMemoryPipe(_options.CapacityBytes);
        var toDialer = new InMemoryPipe(_options.CapacityBytes);
        var connection = new InMemoryConnection(this, address, dialer, acceptor);
        // no name: with one, the peer would count as another machine, which gets no credentials
        dialer.AttachLocked(connection, acceptor, toDialer, toListener, string.Empty);
        acceptor.AttachLocked(connection, dialer, toListener, toDialer, $"memory:{++_connectionsMade}");
        _connections.Add(connection);
        Pump.PostLocked(acceptor, InMemoryEventKind.Accept);
        return true;
    }

    public void RemoveLocked(InMemoryConnection connection)
    {
        Debug.Assert(Pump.IsHeldByCurrentThread);
        _connections.Remove(connection);
    }

    /// <summary>Number of available bytes that the next delivery takes. Called by the pump only.</summary>
    public int NextDelivery(int available)
    {
        int most = Math.Min(available, _options.MaxDeliveryBytes);
        return _random?.Next(1, most + 1) ?? most;
    }

    /// <summary>True if a batch with more bytes available continues. Called by the pump only.</summary>
    public bool ContinuesBatch() => _random?.Next(2) == 1;

    private MuxAddress WithFreePortLocked(MuxAddress address)
    {
        Debug.Assert(Pump.IsHeldByCurrentThread);
        do _lastPort = (_lastPort % ushort.MaxValue) + 1;
        while (_listeners.ContainsKey(address.WithPort(_lastPort)));
        return address.WithPort(_lastPort);
    }
}
