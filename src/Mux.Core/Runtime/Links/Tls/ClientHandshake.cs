using System.Net.Security;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using Mux.Transports.Streams;
using Mux.Transports.Tls;

namespace Mux.Runtime;

/// <summary>Runs the TLS handshake of links that a client dials. Thread-safe.</summary>
/// <param name="certificates">Source of the client certificate, if there is one.</param>
/// <param name="servers">Requirements for server certificates.</param>
/// <param name="targetHost">Host name that all server certificates must have; null for the name in the address.</param>
/// <param name="identifies">True if the identity in the certificate of a server is read.</param>
internal sealed class ClientHandshake(CertificateSource certificates, PeerPolicy servers, string? targetHost, bool identifies)
{
    /// <param name="link">An open link. The connection owns it; disposing it ends the handshake.</param>
    /// <param name="host">Server name of the address, or its host.</param>
    /// <param name="cancellationToken">Cancelled when the link is disposed from outside.</param>
    /// <exception cref="IOException">The handshake failed; the message says why.</exception>
    /// <exception cref="OperationCanceledException"><paramref name="cancellationToken"/> was cancelled.</exception>
    public async Task<StreamConnection> RunAsync(LinkStream link, string host, CancellationToken cancellationToken)
    {
        var validation = new PeerValidation(servers, "server", targetHost ?? host);
        bool lacksCertificate = false; // set during the handshake
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
            if (identifies && stream.RemoteCertificate is X509Certificate2 certificate) connection.Identity = CertificateIdentity.Of(certificate);
            // A TLS 1.3 server decides only after this side has finished.
            if (lacksCertificate) connection.EarlyEnd = TlsHint.NoClientCertificate;
            else if (stream.IsMutuallyAuthenticated) connection.EarlyEnd = TlsHint.ClientCertificateRefused(stream.LocalCertificate!.Subject);
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
            if (remote is not null) onLack(); // a second call with the server's certificate: the server demands a client certificate
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
