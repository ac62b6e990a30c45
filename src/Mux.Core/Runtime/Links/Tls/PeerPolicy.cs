using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Mux.Runtime;

/// <summary>Requirements for the certificate of a peer. Immutable.</summary>
/// <param name="roots">The only trusted roots; null to trust those of the system.</param>
/// <param name="revocation">Mode of the revocation check.</param>
/// <param name="usage">Required extended key usage.</param>
internal sealed class PeerPolicy(X509Certificate2Collection? roots, X509RevocationMode revocation, Oid usage)
{
    // From RFC 5280.
    public static readonly Oid ServerAuthentication = new("1.3.6.1.5.5.7.3.1");
    public static readonly Oid ClientAuthentication = new("1.3.6.1.5.5.7.3.2");

    // A revocation list that takes longer to download counts as unavailable.
    private static readonly TimeSpan s_downloadTime = TimeSpan.FromSeconds(5);

    /// <summary>
    /// True if the certificate has the required extended key usage. A certificate without any is accepted for servers but not for clients: client certificates
    /// are issued for Mux and must say so.
    /// </summary>
    public bool IsMeantFor(X509Certificate2 certificate)
    {
        var usages = certificate.Extensions.OfType<X509EnhancedKeyUsageExtension>().FirstOrDefault()?.EnhancedKeyUsages;
        return usages is null ? usage == ServerAuthentication : usages.OfType<Oid>().Any(oid => oid.Value == usage.Value);
    }

    /// <summary>
    /// Creates the checks that the system does during a handshake; each handshake needs a new object, because it may change it. Revocation is checked later, in
    /// <see cref="FindRevoked"/>: certificates themselves name the addresses of the lists, and a stranger must not make this process fetch them.
    /// </summary>
    public X509ChainPolicy ToChainPolicy() => ToChainPolicy(X509RevocationMode.NoCheck);

    /// <summary>Checks whether a certificate, or an issuer in its chain, is revoked.</summary>
    /// <param name="certificate">Certificate of a peer that has passed all other checks.</param>
    /// <param name="chain">Its chain to a trusted root.</param>
    /// <returns>Statuses that say revoked or unknown; empty if the certificate is good or no check is configured.</returns>
    public IReadOnlyList<X509ChainStatus> FindRevoked(X509Certificate2 certificate, X509Chain chain)
    {
        if (revocation is X509RevocationMode.NoCheck) return [];
        using var asked = new X509Chain { ChainPolicy = ToChainPolicy(revocation) };
        foreach (var element in chain.ChainElements) asked.ChainPolicy.ExtraStore.Add(element.Certificate);
        bool isGood = asked.Build(certificate);
        var found = asked.ChainStatus;
        foreach (var element in asked.ChainElements) element.Certificate.Dispose();
        return isGood ? [] : found;
    }

    private X509ChainPolicy ToChainPolicy(X509RevocationMode mode)
    {
        var policy = new X509ChainPolicy
        {
            RevocationMode = mode,
            RevocationFlag = X509RevocationFlag.ExcludeRoot,
            UrlRetrievalTimeout = s_downloadTime,
            DisableCertificateDownloads = true
        };
        policy.ApplicationPolicy.Add(usage);
        if (roots is null) return policy;
        policy.TrustMode = X509ChainTrustMode.CustomRootTrust;
        policy.CustomTrustStore.AddRange(roots);
        return policy;
    }
}
