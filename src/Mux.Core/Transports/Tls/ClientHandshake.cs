using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using Mux.Transports.Sockets;
using Mux.Transports.Streams;

namespace Mux.Transports.Tls;

/// <summary>Makes connections of sockets that a client has connected. Safe for concurrent use.</summary>
/// <param name="certificates">With or without a certificate.</param>
/// <param name="servers">What certificates of servers have to be.</param>
/// <param name="targetHost">The name that has to be in them, or null for the host of the address.</param>
internal sealed class ClientHandshake(CertificateSource certificates, PeerPolicy servers, string? targetHost)
{
    /// <param name="socket">Connected; the connection's from now on, or disposed.</param>
    /// <param name="host">Of the address.</param>
    /// <param name="cancellationToken">Ends the handshake.</param>
    /// <exception cref="IOException">There is no connection; the message says why.</exception>
    public async Task<StreamConnection> RunAsync(Socket socket, string host, CancellationToken cancellationToken)
    {
        var validation = new PeerValidation(servers, "server", targetHost ?? host);
        SslStream? stream = null;
        try
        {
            socket.Blocking = true; // a NetworkStream asks for it; the operations stay asynchronous
            var remoteAddress = SocketEndPoints.DescribeRemote(socket);
            stream = new SslStream(new NetworkStream(socket, ownsSocket: true));
            await stream.AuthenticateAsClientAsync(Options(validation, targetHost ?? host), cancellationToken).ConfigureAwait(false);
            if (stream.NegotiatedApplicationProtocol != TlsProtocol.Application) throw new AuthenticationException($"the server speaks TLS, but not {TlsProtocol.Application} (ALPN)");
            return StreamConnection.Over(stream, socket, remoteAddress);
        }
        catch (Exception e)
        {
            if (stream is not null) await stream.DisposeAsync().ConfigureAwait(false);
            socket.Dispose();
            if (e is OperationCanceledException) throw;
            throw new IOException($"TLS: {validation.Refusal ?? TlsProtocol.Describe(e)}", e);
        }
    }

    private SslClientAuthenticationOptions Options(PeerValidation validation, string host) => new()
    {
        TargetHost = host,
        ClientCertificateContext = certificates.Current,
        EnabledSslProtocols = TlsProtocol.Versions,
        ApplicationProtocols = [TlsProtocol.Application],
        AllowRenegotiation = false,
        CertificateChainPolicy = servers.ToChainPolicy(),
        RemoteCertificateValidationCallback = validation.Validate,
    };
}
