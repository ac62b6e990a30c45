using System.Net.Security;
using System.Security.Authentication;
using Mux.Transports.Streams;

namespace Mux.Transports.Tls;

/// <summary>Makes connections of links that a client dials. Safe for concurrent use.</summary>
/// <param name="certificates">With or without a certificate.</param>
/// <param name="servers">What certificates of servers have to be.</param>
/// <param name="targetHost">The name that has to be in them, or null for the host of the address.</param>
internal sealed class ClientHandshake(CertificateSource certificates, PeerPolicy servers, string? targetHost)
{
    /// <param name="link">Open; the connection's from now on, or disposed, which ends the handshake.</param>
    /// <param name="host">Of the address.</param>
    /// <param name="cancellationToken">Fires when the link is disposed from outside.</param>
    /// <exception cref="IOException">There is no connection; the message says why.</exception>
    /// <exception cref="OperationCanceledException"><paramref name="cancellationToken"/> fired.</exception>
    public async Task<StreamConnection> RunAsync(LinkStream link, string host, CancellationToken cancellationToken)
    {
        var validation = new PeerValidation(servers, "server", targetHost ?? host);
        var stream = new SslStream(link);
        try
        {
            await stream.AuthenticateAsClientAsync(Options(validation, targetHost ?? host), cancellationToken).ConfigureAwait(false);
            if (stream.NegotiatedApplicationProtocol != TlsProtocol.Application) throw new AuthenticationException($"the server speaks TLS, but not {TlsProtocol.Application} (ALPN)");
            return StreamConnection.Over(stream, link);
        }
        catch (Exception e)
        {
            await stream.DisposeAsync().ConfigureAwait(false);
            cancellationToken.ThrowIfCancellationRequested();
            throw new IOException($"TLS: {validation.Refusal ?? StreamFailure.Describe(e)}", e);
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
