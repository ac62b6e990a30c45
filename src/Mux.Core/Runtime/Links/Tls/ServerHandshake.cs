using System.Net.Security;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using Mux.Transports.Streams;
using Mux.Transports.Tls;

namespace Mux.Runtime;

/// <summary>Runs the TLS handshake of links that a server accepts. Thread-safe.</summary>
/// <param name="certificates">Source of the server certificate.</param>
/// <param name="clients">Requirements for client certificates; null if clients need none.</param>
internal sealed class ServerHandshake(CertificateSource certificates, PeerPolicy? clients)
{
    /// <summary>Creates the validation for one handshake; null if clients need no certificate.</summary>
    public PeerValidation? CreateValidation() => clients is null ? null : new PeerValidation(clients, "client", host: null);

    /// <param name="link">A link that is not open yet. The connection owns it; disposing it ends the handshake.</param>
    /// <param name="validation">Result of <see cref="CreateValidation"/>. Afterwards it tells whether the certificate was rejected.</param>
    /// <exception cref="AuthenticationException">The client was rejected; the message says why.</exception>
    /// <exception cref="Exception">The handshake failed for another reason.</exception>
    public async Task<StreamConnection> RunAsync(LinkStream link, PeerValidation? validation)
    {
        var stream = new SslStream(link);
        try
        {
            await link.OpenAsync().ConfigureAwait(false);
            await stream.AuthenticateAsServerAsync(Options(validation)).ConfigureAwait(false);
            if (stream.NegotiatedApplicationProtocol != TlsProtocol.Application)
            {
                throw new AuthenticationException($"the client offers no application protocol (ALPN): expected {TlsProtocol.Application}");
            }

            var connection = StreamConnection.Over(stream, link);
            if (clients is not null && stream.RemoteCertificate is X509Certificate2 certificate) connection.Identity = CertificateIdentity.Of(certificate);
            return connection;
        }
        catch (Exception e)
        {
            await stream.DisposeAsync().ConfigureAwait(false);
            if (validation?.Refusal is { } refusal) throw new AuthenticationException(refusal, e);
            throw;
        }
    }

    private SslServerAuthenticationOptions Options(PeerValidation? validation)
    {
        var options = new SslServerAuthenticationOptions
        {
            ServerCertificateContext = certificates.Current,
            EnabledSslProtocols = TlsProtocol.Versions,
            ApplicationProtocols = [TlsProtocol.Application],
            AllowRenegotiation = false,
        };
        if (validation is null) return options;
        options.ClientCertificateRequired = true;
        options.AllowTlsResume = false; // a resumed session would skip the check
        options.CertificateChainPolicy = clients!.ToChainPolicy();
        options.RemoteCertificateValidationCallback = validation.Validate;
        return options;
    }
}
