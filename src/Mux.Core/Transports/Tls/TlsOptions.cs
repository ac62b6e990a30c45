using System.Security.Cryptography.X509Certificates;

namespace Mux.Transports.Tls;

/// <summary>What both sides of TLS have in common. Not to be changed once a transport was made with them.</summary>
/// <remarks>
/// TLS 1.2 and 1.3 with the ciphers that the operating system allows; no renegotiation; the application protocol <c>mux/1</c> is required of both sides. No
/// option turns any of this off.
/// </remarks>
public abstract class TlsOptions
{
    private protected TlsOptions()
    {
    }

    /// <summary>
    /// This side's certificate with its private key, instead of <see cref="CertificatePath"/> or <see cref="CertificateStore"/>. It is not replaced.
    /// </summary>
    /// <value>Null by default. The caller's, and not disposed before the transport is out of use.</value>
    public X509Certificate2? Certificate { get; set; }

    /// <summary>
    /// The file with this side's certificate, intermediate ones behind it. It is read again when it has changed, which is looked for at handshakes, at most
    /// once a second: new connections use the new certificate, old ones go on. While a new one cannot be read, the old one stays in use and a warning is
    /// logged.
    /// </summary>
    /// <value>PEM, or PKCS #12 where the name ends in <c>.pfx</c> or <c>.p12</c>. Null by default.</value>
    public string? CertificatePath { get; set; }

    /// <summary>The PEM file with the private key of <see cref="CertificatePath"/>; it is watched as well.</summary>
    /// <value>Null by default: the key stands in the file of the certificate. Not for PKCS #12, which holds its key.</value>
    public string? CertificateKeyPath { get; set; }

    /// <summary>
    /// Where this side's certificate is in a store of the operating system, instead of <see cref="CertificatePath"/>. It is replaced when the store has a newer
    /// one.
    /// </summary>
    /// <value>Null by default.</value>
    public TlsCertificateStore? CertificateStore { get; set; }

    /// <summary>The password of the private key.</summary>
    /// <value>Null by default, which means that it is not encrypted.</value>
    public string? CertificatePassword { get; set; }

    /// <summary>The only roots that the peer's certificate may lead to, besides those of <see cref="TrustedRootsPath"/>.</summary>
    /// <value>Null by default. A server with roots requires certificates of its clients; a client without any trusts those of the system.</value>
    public X509Certificate2Collection? TrustedRoots { get; set; }

    /// <summary>A PEM file with one or more certificates, which are added to <see cref="TrustedRoots"/>. It is read once.</summary>
    /// <value>Null by default.</value>
    public string? TrustedRootsPath { get; set; }

    /// <summary>Whether the issuer is asked, or a list at hand, if the peer's certificate was revoked. What cannot be found out counts as revoked.</summary>
    /// <value>A server that requires certificates of its clients has to choose. Null by default, which at a client means
    /// <see cref="X509RevocationMode.NoCheck"/>.</value>
    public X509RevocationMode? Revocation { get; set; }

    /// <summary>Finds everything that is wrong with these options. Reads the files.</summary>
    /// <returns>One failure per wrong option, naming it, its value and the reason.</returns>
    public virtual IEnumerable<OptionFailure> Validate()
    {
        if (Certificate is not null && CertificatePath is not null)
        {
            yield return new OptionFailure(nameof(CertificatePath), $"'{CertificatePath}' is set beside {nameof(Certificate)}: only one of them can be used.");
        }

        if (Certificate is { HasPrivateKey: false })
        {
            yield return new OptionFailure(nameof(Certificate), $"The certificate of '{Certificate.Subject}' has no private key.");
        }

        if (CertificatePath is null && CertificateKeyPath is not null)
        {
            yield return new OptionFailure(nameof(CertificateKeyPath), $"'{CertificateKeyPath}' is set without {nameof(CertificatePath)}.");
        }

        if (CertificatePath is not null && CertificateKeyPath is not null && CertificateFile.IsPkcs12(CertificatePath))
            yield return new OptionFailure(nameof(CertificateKeyPath), $"'{CertificateKeyPath}' is set beside '{CertificatePath}', which is PKCS #12 by its " +
                $"name and holds its key itself: take it away, or name a PEM file in {nameof(CertificatePath)}.");
        if (CertificatePath is not null && CertificateFile.TryLoad(this, out var certificateError) is null)
        {
            yield return new OptionFailure(nameof(CertificatePath), certificateError!);
        }

        if (CertificateStore is { } store)
        {
            if (Certificate is not null || CertificatePath is not null) yield return new OptionFailure(
                nameof(CertificateStore),
                $"{store} is set beside {(CertificatePath is null ? nameof(Certificate) : nameof(CertificatePath))}: only one of them can be used.");
            else if (string.IsNullOrWhiteSpace(store.Subject)) yield return new OptionFailure(
                $"{nameof(CertificateStore)}:{nameof(store.Subject)}", "missing. It names the certificate: its common name, or one of its DNS names.");
            else if (!Enum.IsDefined(store.Name)) yield return OptionFailure
                .OutOfRange($"{nameof(CertificateStore)}:{nameof(store.Name)}", store.Name, string.Join(", ", Enum.GetNames<StoreName>()));
            else if (!Enum.IsDefined(store.Location)) yield return OptionFailure
                .OutOfRange($"{nameof(CertificateStore)}:{nameof(store.Location)}", store.Location, string.Join(" or ", Enum.GetNames<StoreLocation>()));
            else if (store.TryFind(TimeProvider.System.GetUtcNow(), out var storeError) is null) yield return new OptionFailure(
                nameof(CertificateStore), storeError!);
        }

        if (TrustedRootsPath is not null && CertificateFile.TryLoadRoots(TrustedRootsPath, out var rootsError) is null)
        {
            yield return new OptionFailure(nameof(TrustedRootsPath), rootsError!);
        }

        if (TrustedRoots is { Count: 0 }) yield return new OptionFailure(nameof(TrustedRoots), "It holds no certificate: leave it null, or add one.");
        if (Revocation is { } mode && !Enum.IsDefined(mode)) yield return OptionFailure.OutOfRange(nameof(Revocation), mode, "NoCheck, Online or Offline");
    }

    /// <summary>All roots of the options, or null if they name none.</summary>
    /// <exception cref="ArgumentException">Their file cannot be read any more.</exception>
    internal X509Certificate2Collection? Roots()
    {
        if (TrustedRoots is null && TrustedRootsPath is null) return null;
        var roots = new X509Certificate2Collection();
        if (TrustedRoots is not null) roots.AddRange(TrustedRoots);
        if (TrustedRootsPath is not null) roots.AddRange(CertificateFile.TryLoadRoots(TrustedRootsPath, out var error) ?? throw new ArgumentException(error));
        return roots;
    }

    /// <summary>Throws if something is wrong.</summary>
    internal void ThrowIfInvalid()
    {
        var failures = Validate().ToList();
        if (failures.Count > 0) throw new ArgumentException($"{GetType().Name}: {string.Join(" ", failures)}");
    }
}
