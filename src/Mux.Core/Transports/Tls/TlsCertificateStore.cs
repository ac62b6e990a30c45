using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Mux.Transports.Tls;

/// <summary>Which certificate of a store of the operating system is this side's. Not to be changed once a transport was made with it.</summary>
/// <remarks>
/// Of the certificates that have the name, a private key and are valid now, the one that was issued last is used. The store is looked at when the transport is
/// made and at handshakes, at most once a second: new connections use a newer certificate, old ones go on. While none can be had, the old one stays in use and
/// a warning is logged. Intermediate certificates come from the system's stores.
/// </remarks>
public sealed class TlsCertificateStore
{
    /// <summary>
    /// The name in the certificate: its common name, or one of the DNS names of its subject alternative name. Compared as a whole, without regard to case; a
    /// wildcard is a name like others.
    /// </summary>
    /// <value>Has to be set.</value>
    public string? Subject { get; set; }

    /// <summary>The store.</summary>
    /// <value><see cref="StoreName.My"/> by default.</value>
    public StoreName Name { get; set; } = StoreName.My;

    /// <summary>Whose store it is. .NET has none of the machine with private keys on Linux.</summary>
    /// <value><see cref="StoreLocation.CurrentUser"/> by default.</value>
    public StoreLocation Location { get; set; } = StoreLocation.CurrentUser;

    /// <summary>What it is called in logs and errors.</summary>
    /// <returns>Such as <c>'orders.example' in CurrentUser/My</c>.</returns>
    public override string ToString() => $"'{Subject}' in {Location}/{Name}";

    /// <summary>The certificate to use at a time.</summary>
    /// <returns>Null if there is none; then <paramref name="error"/> says where it was looked for.</returns>
    internal X509Certificate2? TryFind(DateTimeOffset now, out string? error)
    {
        try
        {
            using var store = new X509Store(Name, Location);
            store.Open(OpenFlags.ReadOnly);
            X509Certificate2? newest = null;
            foreach (var candidate in store.Certificates)
            {
                var passedOver = candidate;
                if (IsUsable(candidate, now) && (newest is null || candidate.NotBefore > newest.NotBefore)) (newest, passedOver) = (candidate, newest);
                passedOver?.Dispose();
            }

            error = newest is null ? $"There is no certificate of {this} that is valid now and has a private key." : null;
            return newest;
        }
        catch (Exception e) when (e is CryptographicException or PlatformNotSupportedException)
        {
            error = $"The certificate of {this} cannot be looked for: {e.Message.TrimEnd('.')}.";
            return null;
        }
    }

    private bool IsUsable(X509Certificate2 candidate, DateTimeOffset now) =>
        candidate.HasPrivateKey && candidate.NotBefore.ToUniversalTime() <= now.UtcDateTime && candidate.NotAfter.ToUniversalTime() >= now.UtcDateTime
            && HasName(candidate);

    private bool HasName(X509Certificate2 candidate) =>
        string.Equals(candidate.GetNameInfo(X509NameType.SimpleName, forIssuer: false), Subject, StringComparison.OrdinalIgnoreCase)
        || candidate.Extensions.OfType<X509SubjectAlternativeNameExtension>().SelectMany(names => names.EnumerateDnsNames())
            .Contains(Subject, StringComparer.OrdinalIgnoreCase);
}
