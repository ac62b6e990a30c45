using System.Net;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;
using Microsoft.Extensions.Logging.Abstractions;
using Microsoft.Extensions.Options;
using Mux.Transports.Streams;

namespace Mux.TestSupport.Transports.Kestrel;

/// <summary>Accepts connections whose bytes Kestrel moves: a pair of pipes with thresholds, and loops of Kestrel's that fill and empty them.</summary>
internal sealed class KestrelListener : IStreamListener
{
    private readonly IConnectionListener _listener;

    public KestrelListener(IPEndPoint place)
    {
        var factory = new SocketTransportFactory(Options.Create(new SocketTransportOptions()), NullLoggerFactory.Instance);
        _listener = factory.BindAsync(place).AsTask().GetAwaiter().GetResult(); // of sockets, done when it returns
        Address = MuxAddress.Parse($"mux://{_listener.EndPoint}");
    }

    public MuxAddress Address { get; }

    /// <summary>A connection ends when both of its pipes have been completed. Disposing it completes them too, but beside a reader that may be at work.</summary>
    public async ValueTask<StreamConnection> AcceptAsync(CancellationToken cancellationToken)
    {
        var connection = await _listener.AcceptAsync(cancellationToken) ?? throw new OperationCanceledException("The listener has been stopped.");
        return StreamConnection.Over(connection.Transport, $"{connection.RemoteEndPoint}");
    }

    public void Dispose() => _ = _listener.DisposeAsync().AsTask();
}
