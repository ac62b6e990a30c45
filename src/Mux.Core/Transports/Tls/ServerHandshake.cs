using System.Net.Security;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using Mux.Transports.Streams;

namespace Mux.Transports.Tls;

/// <summary>Makes connections of links that a server has accepted. Safe for concurrent use.</summary>
/// <param name="certificates">With a certificate.</param>
/// <param name="clients">What certificates of clients have to be, or null if none are asked for.</param>
internal sealed class ServerHandshake(CertificateSource certificates, PeerPolicy? clients)
{
    /// <summary>The judgement of one handshake; null if clients are not asked for certificates.</summary>
    public PeerValidation? CreateValidation() => clients is null ? null : new PeerValidation(clients, "client", host: null);

    /// <param name="link">Not opened; the connection's from now on, or disposed, which ends the handshake.</param>
    /// <param name="validation">Of <see cref="CreateValidation"/>; knows afterwards whether it is the certificate that was not taken.</param>
    /// <exception cref="AuthenticationException">The client is not taken; the message says why.</exception>
    /// <exception cref="Exception">The handshake failed otherwise.</exception>
    public async Task<StreamConnection> RunAsync(LinkStream link, PeerValidation? validation)
    {
        var stream = new SslStream(link);
        try
        {
            await link.OpenAsync().ConfigureAwait(false);
            await stream.AuthenticateAsServerAsync(Options(validation)).ConfigureAwait(false);
            if (stream.NegotiatedApplicationProtocol != TlsProtocol.Application)
            {
                throw new AuthenticationException($"the client offers no application protocol, expected is {TlsProtocol.Application}");
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
