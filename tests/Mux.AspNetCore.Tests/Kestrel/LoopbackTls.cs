using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Mux.Transports.Streams;

namespace Mux.AspNetCore.Tests.Kestrel;

/// <summary>TLS between the two ends of a test.</summary>
internal static class LoopbackTls
{
    /// <summary>A certificate that signs itself.</summary>
    public static X509Certificate2 CreateCertificate()
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        return new CertificateRequest("CN=localhost", key, HashAlgorithmName.SHA256).CreateSelfSigned(DateTimeOffset.UtcNow.AddHours(-1), DateTimeOffset.UtcNow.AddHours(1));
    }

    /// <summary>A transport of clients that take one certificate and no other.</summary>
    public static StreamTransport Trusting(X509Certificate2 certificate) => StreamTransport.Connecting(async (address, cancellationToken) =>
    {
        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        await socket.ConnectAsync(address.Host, address.Port, cancellationToken);
        var tls = new SslStream(new NetworkStream(socket, ownsSocket: true));
        var options = new SslClientAuthenticationOptions
        {
            TargetHost = "localhost",
            ApplicationProtocols = [new SslApplicationProtocol("mux/1")],
            RemoteCertificateValidationCallback = (_, presented, _, _) => presented is not null && presented.GetCertHashString() == certificate.GetCertHashString(),
        };
        await tls.AuthenticateAsClientAsync(options, cancellationToken);
        return StreamConnection.Over(tls, $"{address.Host}:{address.Port}");
    });
}
