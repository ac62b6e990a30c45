using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using Mux.Runtime;

namespace Mux.Transports.Tls;

/// <summary>TLS options of both sides. Do not change them after you have created a transport with them.</summary>
/// <remarks>
/// Mux uses TLS 1.2 and 1.3 with the ciphers that the operating system allows, without renegotiation. Both sides must agree on the application protocol
/// <c>mux/1</c>. No option turns any of this off.
/// </remarks>
public abstract class TlsOptions
{
    private protected TlsOptions()
    {
    }

    /// <summary>
    /// Gets or sets this side's certificate with its private key, instead of <see cref="CertificatePath"/> or <see cref="CertificateStore"/>. Mux does not
    /// reload it.
    /// </summary>
    /// <value>Null by default. The caller owns it and must not dispose it while the transport is in use.</value>
    public X509Certificate2? Certificate { get; set; }

    /// <summary>
    /// Gets or sets the path of the file with this side's certificate, followed by intermediate certificates. Mux checks for changes of the file at handshakes,
    /// at most once a second. New connections use the new certificate; existing ones keep theirs. If the new certificate cannot be read, the old one stays in
    /// use and a warning is logged.
    /// </summary>
    /// <value>PEM, or PKCS #12 if the name ends in <c>.pfx</c> or <c>.p12</c>. Null by default.</value>
    public string? CertificatePath { get; set; }

    /// <summary>Gets or sets the path of the PEM file with the private key of <see cref="CertificatePath"/>. Mux checks this file for changes too.</summary>
    /// <value>Null by default: the key is in the file of the certificate. Must be null for PKCS #12, which contains its key.</value>
    public string? CertificateKeyPath { get; set; }

    /// <summary>
    /// Gets or sets the location of this side's certificate in a store of the operating system, instead of <see cref="CertificatePath"/>. When the store has a
    /// newer certificate, new connections use that.
    /// </summary>
    /// <value>Null by default.</value>
    public TlsCertificateStore? CertificateStore { get; set; }

    /// <summary>Gets or sets the password of the private key.</summary>
    /// <value>Null by default: the key is not encrypted.</value>
    public string? CertificatePassword { get; set; }

    /// <summary>
    /// Gets or sets the roots that are trusted for the peer's certificate. If this option or <see cref="TrustedRootsPath"/> is set, only their roots are
    /// trusted.
    /// </summary>
    /// <value>Null by default. A server with roots requires certificates from its clients; a client without roots trusts those of the system.</value>
    public X509Certificate2Collection? TrustedRoots { get; set; }

    /// <summary>
    /// Gets or sets the path of a PEM file with one or more certificates, which are added to <see cref="TrustedRoots"/>. It is read once.
    /// </summary>
    /// <value>Null by default.</value>
    public string? TrustedRootsPath { get; set; }

    /// <summary>
    /// Gets or sets the check for revocation of the peer's certificate: none, online at its issuer, or offline with a local list. A certificate whose status
    /// cannot be determined counts as revoked.
    /// </summary>
    /// <value>Required for a server that requires certificates from its clients. Null by default, which at a client means
    /// <see cref="X509RevocationMode.NoCheck"/>.</value>
    public X509RevocationMode? Revocation { get; set; }

    /// <summary>Reads the files and the store while a transport is created; others are for tests.</summary>
    internal StartReads Reads { get; init; } = StartReads.Default;

    /// <summary>
    /// Finds all options that are invalid. Reads the files. One whose disk blocks for 10 s is a failure, too.
    /// </summary>
    /// <returns>One failure for each invalid option, with its name, its value and the reason.</returns>
    public virtual IEnumerable<OptionFailure> Validate()
    {
        if (Certificate is not null && CertificatePath is not null)
        {
            yield return new OptionFailure(nameof(CertificatePath), $"'{CertificatePath}' is set together with {nameof(Certificate)}: use only one of them.");
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
            yield return new OptionFailure(nameof(CertificateKeyPath), $"'{CertificateKeyPath}' is set together with '{CertificatePath}', which is PKCS #12 " +
                $"by its name and contains its key: remove it, or name a PEM file in {nameof(CertificatePath)}.");
        if (CertificatePath is not null && LoadCertificate(CertificatePath, out var certificateError) is null)
        {
            yield return new OptionFailure(nameof(CertificatePath), certificateError!);
        }

        if (CertificateStore is { } store)
        {
            if (Certificate is not null || CertificatePath is not null) yield return new OptionFailure(
                nameof(CertificateStore),
                $"{store} is set together with {(CertificatePath is null ? nameof(Certificate) : nameof(CertificatePath))}: use only one of them.");
            else if (string.IsNullOrWhiteSpace(store.Subject)) yield return new OptionFailure(
                $"{nameof(CertificateStore)}:{nameof(store.Subject)}", "missing. It names the certificate: its common name, or one of its DNS names.");
            else if (!Enum.IsDefined(store.Name))
            {
                yield return OptionFailure.OutOfRange(
                    $"{nameof(CertificateStore)}:{nameof(store.Name)}", store.Name, string.Join(", ", Enum.GetNames<StoreName>()));
            }
            else if (!Enum.IsDefined(store.Location))
            {
                yield return OptionFailure.OutOfRange(
                    $"{nameof(CertificateStore)}:{nameof(store.Location)}", store.Location, string.Join(" or ", Enum.GetNames<StoreLocation>()));
            }
            else if (FindIn(store, TimeProvider.System.GetUtcNow(), out var storeError) is null) yield return new OptionFailure(
                nameof(CertificateStore), storeError!);
        }

        if (TrustedRootsPath is not null && LoadRoots(TrustedRootsPath, out var rootsError) is null)
        {
            yield return new OptionFailure(nameof(TrustedRootsPath), rootsError!);
        }

        if (TrustedRoots is { Count: 0 }) yield return new OptionFailure(nameof(TrustedRoots), "It contains no certificate: leave it null, or add one.");
        if (Revocation is { } mode && !Enum.IsDefined(mode)) yield return OptionFailure.OutOfRange(nameof(Revocation), mode, "NoCheck, Online or Offline");
    }

    /// <summary>Gets all roots of the options; null if there are none.</summary>
    /// <exception cref="ArgumentException">The file can no longer be read.</exception>
    internal X509Certificate2Collection? Roots()
    {
        if (TrustedRoots is null && TrustedRootsPath is null) return null;
        var roots = new X509Certificate2Collection();
        if (TrustedRoots is not null) roots.AddRange(TrustedRoots);
        if (TrustedRootsPath is not null)
            roots.AddRange(LoadRoots(TrustedRootsPath, out var error) ?? throw new ArgumentException(error));
        return roots;
    }

    private SslStreamCertificateContext? LoadCertificate(string path, out string? error) =>
        Reads.Try($"'{path}'", (out string? why) => CertificateFile.TryLoad(this, out why), out error);

    private X509Certificate2Collection? LoadRoots(string path, out string? error) =>
        Reads.Try($"'{path}'", (out string? why) => CertificateFile.TryLoadRoots(path, out why), out error);

    /// <summary>Finds the certificate of a store, with the limit of <see cref="Reads"/>.</summary>
    internal X509Certificate2? FindIn(TlsCertificateStore store, DateTimeOffset now, out string? error) =>
        Reads.Try($"The {store}", (out string? why) => store.TryFind(now, out why), out error);

    /// <summary>Throws if an option is invalid.</summary>
    internal void ThrowIfInvalid()
    {
        var failures = Validate().ToList();
        if (failures.Count > 0) throw new ArgumentException($"{GetType().Name}: {string.Join(" ", failures)}");
    }
}
