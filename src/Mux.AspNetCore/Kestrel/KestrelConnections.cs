using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Connections.Features;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.Extensions.DependencyInjection;
using Mux.Transports.Streams;
using Mux.Transports.Tls;

namespace Mux.AspNetCore.Kestrel;

/// <summary>Hands the connections of an endpoint of Kestrel to the server of the application. Safe for concurrent use.</summary>
/// <param name="services">Of the application. The server is asked for at the first connection and not before: making it earlier would report its own wrong options alone.</param>
internal sealed class KestrelConnections(IServiceProvider services)
{
    /// <summary>Serves one connection. Kestrel closes it when this ends.</summary>
    public Task ServeAsync(ConnectionContext connection)
    {
        var server = services.GetRequiredService<MuxServer>();

        // Fires when Kestrel begins to stop, which it does before it waits for its connections: they drain within that wait, and are not cut after it.
        var stopping = connection.Features.Get<IConnectionLifetimeNotificationFeature>()?.ConnectionClosedRequested ?? connection.ConnectionClosed;
        var served = StreamConnection.Over(connection.Transport, connection.RemoteEndPoint?.ToString() ?? string.Empty);
        if (connection.Features.Get<ITlsConnectionFeature>()?.ClientCertificate is { } certificate) served.Identity = CertificateIdentity.Of(certificate); // Kestrel has judged it
        return server.ServeAsync(served, stopping);
    }
}
