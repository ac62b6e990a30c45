namespace Mux.Transports.Tls;

/// <summary>
/// TLS options of a server. A certificate is required. With trusted roots, the server requires certificates from its clients too (mutual TLS).
/// </summary>
public sealed class TlsServerOptions : TlsOptions
{
    /// <summary>Maximum duration of a handshake, from the moment when the connection is accepted.</summary>
    /// <value>10 ms to 10 minutes; 10 s by default.</value>
    public TimeSpan HandshakeTimeout { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>
    /// Maximum number of concurrent handshakes. At the limit, a new connection can replace the oldest handshake of the address with the most handshakes. It
    /// does so if that handshake has lasted for 1 s. It also does so if the address of the old handshake then still has at least as many handshakes as the
    /// address of the new connection. Otherwise the server closes the new connection. A warning in the log counts the closed connections. Handshakes need open
    /// files in addition to those of <see cref="MuxServerOptions.MaxConnections"/>.
    /// </summary>
    /// <value>1 to 65,536; 256 by default.</value>
    public int MaxPendingHandshakes { get; set; } = 256;

    /// <summary>
    /// Maximum number of concurrent handshakes from one address (of IPv6: its first 64 bits), so that no single machine can use all of
    /// <see cref="MaxPendingHandshakes"/>. At the limit, the server ends the oldest handshake of the address if it has lasted for 1 s. Otherwise it closes the
    /// new connection.
    /// </summary>
    /// <value>1 to 65,536; 64 by default.</value>
    public int MaxPendingHandshakesPerAddress { get; set; } = 64;

    /// <inheritdoc/>
    public override IEnumerable<OptionFailure> Validate()
    {
        foreach (var failure in base.Validate()) yield return failure;
        if (Certificate is null && CertificatePath is null && CertificateStore is null)
        {
            yield return new OptionFailure(nameof(CertificatePath),
                $"missing. A server needs a certificate: set {nameof(CertificatePath)} or {nameof(CertificateStore)}, or {nameof(Certificate)} in code.");
        }

        bool requiresCertificates = TrustedRoots is not null || TrustedRootsPath is not null;
        if (requiresCertificates && Revocation is null)
        {
            yield return new OptionFailure(nameof(Revocation), "missing. A server that requires certificates of its clients must choose: NoCheck, Online " +
                "or Offline.");
        }

        if (!requiresCertificates && Revocation is not null)
        {
            yield return new OptionFailure(nameof(Revocation),
                $"'{Revocation}' is set without {nameof(TrustedRoots)} or {nameof(TrustedRootsPath)}: no certificate of a client would be checked.");
        }

        if (HandshakeTimeout < TimeSpan.FromMilliseconds(10) || HandshakeTimeout > TimeSpan.FromMinutes(10))
        {
            yield return OptionFailure.OutOfRange(nameof(HandshakeTimeout), HandshakeTimeout, "00:00:00.010 to 00:10:00");
        }

        if (MaxPendingHandshakes is < 1 or > 65_536) yield return OptionFailure.OutOfRange(nameof(MaxPendingHandshakes), MaxPendingHandshakes, "1 to 65536");
        if (MaxPendingHandshakesPerAddress is < 1 or > 65_536)
        {
            yield return OptionFailure.OutOfRange(nameof(MaxPendingHandshakesPerAddress), MaxPendingHandshakesPerAddress, "1 to 65536");
        }
    }
}
