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
        bool lacksCertificate = false; // written by the handshake
        var stream = new SslStream(link);
        try
        {
            await stream.AuthenticateAsClientAsync(Options(validation, targetHost ?? host, () => lacksCertificate = true), cancellationToken)
                .ConfigureAwait(false);
            if (stream.NegotiatedApplicationProtocol != TlsProtocol.Application)
            {
                throw new AuthenticationException($"the server speaks TLS, but not {TlsProtocol.Application} (ALPN)");
            }

            var connection = StreamConnection.Over(stream, link);
            if (lacksCertificate) connection.EarlyEnd = TlsHint.NoClientCertificate; // a server of TLS 1.3 judges when this side is through
            return connection;
        }
        catch (Exception e)
        {
            await stream.DisposeAsync().ConfigureAwait(false);
            cancellationToken.ThrowIfCancellationRequested();
            if (validation.Refusal is null && lacksCertificate) throw new IOException($"{TlsHint.NoClientCertificate} ({StreamFailure.Describe(e)})", e);
            throw new IOException($"TLS: {validation.Refusal ?? TlsHint.OfServer(link.Head, e)}", e);
        }
    }

    private SslClientAuthenticationOptions Options(PeerValidation validation, string host, Action onLack)
    {
        var own = certificates.Current;
        var options = Options(validation, host);
        options.ClientCertificateContext = own;
        if (own is null) options.LocalCertificateSelectionCallback = (_, _, _, remote, _) =>
        {
            if (remote is not null) onLack(); // asked a second time, with the certificate of the server: that one wants one
            return null!;
        };
        return options;
    }

    private SslClientAuthenticationOptions Options(PeerValidation validation, string host) => new()
    {
        TargetHost = host,
        EnabledSslProtocols = TlsProtocol.Versions,
        ApplicationProtocols = [TlsProtocol.Application],
        AllowRenegotiation = false,
        CertificateChainPolicy = servers.ToChainPolicy(),
        RemoteCertificateValidationCallback = validation.Validate,
    };
}
