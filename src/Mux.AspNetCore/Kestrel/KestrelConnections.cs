using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Connections.Features;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Server.Kestrel.Core.Features;
using Microsoft.Extensions.DependencyInjection;
using Mux.AspNetCore.Endpoints;
using Mux.Transports.Streams;
using Mux.Transports.Tls;

namespace Mux.AspNetCore.Kestrel;

/// <summary>Hands the connections of an endpoint of Kestrel to the server of the application. Safe for concurrent use.</summary>
/// <param name="services">Of the application. The server is asked for at the first connection and not before: making it earlier would report its own wrong
/// options alone.</param>
internal sealed class KestrelConnections(IServiceProvider services)
{
    /// <summary>How long Kestrel may take to send what is left of a connection that has ended. Mux has waited for its own last bytes before.</summary>
    private static readonly TimeSpan s_linger = TimeSpan.FromSeconds(2);

    private readonly PlaintextRule _plaintext = new(services, "put UseHttps before UseMux");

    /// <summary>Serves one connection. Kestrel closes it when this ends.</summary>
    public async Task ServeAsync(ConnectionContext connection)
    {
        if (!IsEncrypted(connection) && !_plaintext.Allows(connection.RemoteEndPoint, connection.LocalEndPoint?.ToString() ?? "of Kestrel")) return;
        var server = services.GetRequiredService<MuxServer>();

        // Fires when Kestrel begins to stop, which it does before it waits for its connections: they drain within that wait, and are not cut after it.
        var stopping = connection.Features.Get<IConnectionLifetimeNotificationFeature>()?.ConnectionClosedRequested ?? connection.ConnectionClosed;
        var served = StreamConnection.Over(connection.Transport, RemoteAddress.Of(connection.RemoteEndPoint));
        // Kestrel has judged it
        if (connection.Features.Get<ITlsConnectionFeature>()?.ClientCertificate is { } certificate) served.Identity = CertificateIdentity.Of(certificate);
        // else something before this process ends TLS, or nothing does
        if (connection.Features.Get<ISslStreamFeature>() is { } tls) served.ChannelBinding = TlsChannelBinding.Of(tls.SslStream);
        await server.ServeAsync(served, stopping).ConfigureAwait(false);
        _ = AbortLaterAsync(connection);
    }

    /// <summary>By what UseHttps leaves, and middleware of others that ends TLS.</summary>
    private static bool IsEncrypted(ConnectionContext connection) =>
        connection.Features.Get<ITlsConnectionFeature>() is not null || connection.Features.Get<ITlsHandshakeFeature>() is not null;

    /// <summary>
    /// Kestrel sends what is left before it closes, and has no limit of time for that: a peer that reads nothing would keep its socket for ever.
    /// </summary>
    private static async Task AbortLaterAsync(ConnectionContext connection)
    {
        await Task.Delay(s_linger, TimeProvider.System, connection.ConnectionClosed).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        if (!connection.ConnectionClosed.IsCancellationRequested)
        {
            connection.Abort(new ConnectionAbortedException("Mux has ended the connection, and its peer does not read the rest."));
        }
    }
}
