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

    /// <summary>
    /// Whether it has the extended key usage. A certificate without any is good for every server, and for no client: those get theirs for Mux, and have to say
    /// so.
    /// </summary>
    public bool IsMeantFor(X509Certificate2 certificate)
    {
        var usages = certificate.Extensions.OfType<X509EnhancedKeyUsageExtension>().FirstOrDefault()?.EnhancedKeyUsages;
        return usages is null ? usage == ServerAuthentication : usages.OfType<Oid>().Any(oid => oid.Value == usage.Value);
    }

    /// <summary>
    /// What the system is to check in a handshake: a new one for each, which may change it. Revocation is not asked for here but in <see cref="FindRevoked"/>:
    /// the lists stand at addresses that the certificates themselves name, and a stranger must not make this process fetch them.
    /// </summary>
    public X509ChainPolicy ToChainPolicy() => ToChainPolicy(X509RevocationMode.NoCheck);

    /// <summary>Looks up whether a certificate, or one that vouches for it, was revoked.</summary>
    /// <param name="certificate">Of a peer, and found to be good otherwise.</param>
    /// <param name="chain">How it leads to a trusted root.</param>
    /// <returns>What is against it, or could not be found out; nothing if it is good, or if nobody wants to know.</returns>
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
