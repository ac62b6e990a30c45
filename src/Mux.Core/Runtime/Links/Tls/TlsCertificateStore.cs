using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Mux.Transports.Tls;

/// <summary>
/// Selects this side's certificate in a certificate store of the operating system. Do not change this object after you have created a transport with it.
/// </summary>
/// <remarks>
/// <para>Among the certificates that have the name and a private key and are valid now, Mux uses the newest. Intermediate certificates come from the system's
/// stores.</para>
/// <para>The store is read when the transport is created, and at handshakes, at most once a second. New connections use a newer certificate; existing ones keep
/// theirs. If the store has no such certificate, the old one stays in use and a warning is logged.</para>
/// </remarks>
public sealed class TlsCertificateStore
{
    /// <summary>
    /// Gets or sets the name in the certificate: its common name, or one of the DNS names of its subject alternative name. Compared as a whole, ignoring case;
    /// a wildcard has no special meaning.
    /// </summary>
    /// <value>Required.</value>
    public string? Subject { get; set; }

    /// <summary>Gets or sets the name of the store.</summary>
    /// <value><see cref="StoreName.My"/> by default.</value>
    public StoreName Name { get; set; } = StoreName.My;

    /// <summary>Gets or sets the location of the store. On Linux, .NET supports private keys only in the store of the current user.</summary>
    /// <value><see cref="StoreLocation.CurrentUser"/> by default.</value>
    public StoreLocation Location { get; set; } = StoreLocation.CurrentUser;

    /// <summary>Returns the name of the certificate in logs and errors.</summary>
    /// <returns>A text such as <c>'orders.example' in CurrentUser/My</c>.</returns>
    public override string ToString() => $"'{Subject}' in {Location}/{Name}";

    /// <summary>Finds the certificate to use at a time.</summary>
    /// <returns>Null if there is none; then <paramref name="error"/> says where it was searched.</returns>
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
            error = $"The certificate of {this} cannot be searched: {e.Message.TrimEnd('.')}.";
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
