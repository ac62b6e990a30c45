using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Connections.Features;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Server.Kestrel.Core.Features;
using Microsoft.Extensions.DependencyInjection;
using Mux.AspNetCore.Endpoints;
using Mux.Transports.Streams;
using Mux.Transports.Tls;

namespace Mux.AspNetCore.Kestrel;

/// <summary>Passes the connections of a Kestrel endpoint to the application's server. Safe for concurrent use.</summary>
/// <param name="services">Services of the application. The server is resolved at the first connection and not before: if it were created earlier, only its own
/// invalid options would be reported.</param>
internal sealed class KestrelConnections(IServiceProvider services)
{
    /// <summary>Time that Kestrel has to send the rest of a connection that has ended. Mux has waited for its own last bytes before.</summary>
    private static readonly TimeSpan s_linger = TimeSpan.FromSeconds(2);

    private readonly PlaintextRule _plaintext = new(services, "call UseMuxHttps instead of UseMux");

    private readonly ProtocolRule _protocol = new(services);

    /// <summary>Serves one connection. Kestrel closes it when the task completes.</summary>
    public async Task ServeAsync(ConnectionContext connection)
    {
        if (!IsEncrypted(connection) && !_plaintext.Allows(connection.RemoteEndPoint, connection.LocalEndPoint?.ToString() ?? "of Kestrel")) return;
        if (!_protocol.Allows(connection)) return;
        var server = services.GetRequiredService<MuxServer>();

        // Fires when Kestrel begins to stop, before it waits for its connections: they drain during that wait instead of being cut after it.
        var stopping = connection.Features.Get<IConnectionLifetimeNotificationFeature>()?.ConnectionClosedRequested ?? connection.ConnectionClosed;
        var served = StreamConnection.Over(connection.Transport, RemoteAddress.Of(connection.RemoteEndPoint));
        // Kestrel has validated it
        if (connection.Features.Get<ITlsConnectionFeature>()?.ClientCertificate is { } certificate) served.Identity = CertificateIdentity.Of(certificate);
        // without it, TLS ends before this process, or there is none
        if (connection.Features.Get<ISslStreamFeature>() is { } tls) served.ChannelBinding = TlsChannelBinding.Of(tls.SslStream);
        await server.ServeAsync(served, stopping).ConfigureAwait(false);
        _ = AbortLaterAsync(connection);
    }

    /// <summary>True if UseHttps, or other middleware that terminates TLS, has left its features.</summary>
    private static bool IsEncrypted(ConnectionContext connection) =>
        connection.Features.Get<ITlsConnectionFeature>() is not null || connection.Features.Get<ITlsHandshakeFeature>() is not null;

    /// <summary>
    /// Aborts the connection after a while. Kestrel sends the rest before it closes, without a time limit: a peer that reads nothing would keep its socket
    /// forever.
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
