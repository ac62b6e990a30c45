using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Mux.Transports.Tls;

/// <summary>What the certificate of a peer has to be. Immutable.</summary>
/// <param name="roots">The only ones to trust, or null for the system's.</param>
/// <param name="revocation">Whether revocation is looked up.</param>
/// <param name="usage">The extended key usage that it needs.</param>
internal sealed class PeerPolicy(X509Certificate2Collection? roots, X509RevocationMode revocation, Oid usage)
{
    // By RFC 5280.
    public static readonly Oid ServerAuthentication = new("1.3.6.1.5.5.7.3.1");
    public static readonly Oid ClientAuthentication = new("1.3.6.1.5.5.7.3.2");

    // A list of revoked certificates that does not come in this time counts as not to be had.
    private static readonly TimeSpan s_downloadTime = TimeSpan.FromSeconds(5);

    /// <summary>Whether it has the extended key usage. A certificate without any is good for every server, and for no client: those get theirs for Mux, and have to say so.</summary>
    public bool IsMeantFor(X509Certificate2 certificate)
    {
        var usages = certificate.Extensions.OfType<X509EnhancedKeyUsageExtension>().FirstOrDefault()?.EnhancedKeyUsages;
        return usages is null ? usage == ServerAuthentication : usages.OfType<Oid>().Any(oid => oid.Value == usage.Value);
    }

    /// <summary>The same for the system: a new one for each handshake, which may change it.</summary>
    public X509ChainPolicy ToChainPolicy()
    {
        var policy = new X509ChainPolicy { RevocationMode = revocation, RevocationFlag = X509RevocationFlag.ExcludeRoot, UrlRetrievalTimeout = s_downloadTime, DisableCertificateDownloads = true };
        policy.ApplicationPolicy.Add(usage);
        if (roots is null) return policy;
        policy.TrustMode = X509ChainTrustMode.CustomRootTrust;
        policy.CustomTrustStore.AddRange(roots);
        return policy;
    }
}
