using System.Diagnostics.CodeAnalysis;
using Mux.ProtocolCases.Cases;
using Mux.ProtocolCases.Running;
using Mux.ProtocolCases.Serving;
using Mux.Spec.Carriers;
using Mux.TestSupport.Transports;
using Mux.Transports;
using Mux.Transports.Sockets;
using Mux.Transports.WebSockets;

namespace Mux.Spec.Servers;

/// <summary>A server as users run it, as long as the tests of its kind run.</summary>
public sealed class ServerFixture : IAsyncDisposable
{
    private readonly List<IAsyncDisposable> _servers = [];
    private ITransport? _transport;
    private DialedTarget? _target;

    public async ValueTask DisposeAsync()
    {
        foreach (var server in _servers) await server.DisposeAsync();
        (_transport as IDisposable)?.Dispose();
    }

    /// <summary>The server, started and asked when the first test needs it; those of a class run one after another.</summary>
    internal async Task<DialedTarget> TargetAsync(ServerKind kind)
    {
        if (_target is not null) return _target;
        var address = kind is ServerKind.Kestrel or ServerKind.WebSocket ? await StartApplicationAsync(kind) : Start(Enum.Parse<Carrier>(kind.ToString()));
        using var deadline = new CancellationTokenSource(Awaited.Patience);
        return _target = await DialedTarget.AskAsync(_transport!, address, SpecMethods.Echo, credentials: null, deadline.Token);
    }

    [SuppressMessage("Reliability", "CA2000", Justification = "Disposed with the fixture.")]
    private MuxAddress Start(Carrier carrier)
    {
        _transport = CarrierTransports.Make(carrier);
        var server = new MuxServer(new MuxServerOptions { Address = CarrierTransports.FreeAddress(carrier).ToString(), Transport = _transport });
        _servers.Add(server);
        server.AddService<ISpec>(new SpecService());
        server.AddService<IMessages>(new MessageService());
        server.Start();
        return server.Address;
    }

    private async Task<MuxAddress> StartApplicationAsync(ServerKind kind)
    {
        var application = await SpecApplication.StartAsync(isWebSocket: kind == ServerKind.WebSocket);
        _servers.Add(application);
        _transport = kind == ServerKind.WebSocket ? new WebSocketTransport() : new SocketTransport();
        return application.Address;
    }
}
