using System.Net.Security;
using System.Security.Authentication;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Mux.Transports.Streams;
using Mux.Transports.Tls;

namespace Mux.Runtime;

/// <summary>Runs the TLS handshake of links that a client dials. Thread-safe.</summary>
/// <param name="certificates">Source of the client certificate, if there is one.</param>
/// <param name="servers">Requirements for server certificates.</param>
/// <param name="targetHost">Host name that all server certificates must have; null for the name in the address.</param>
/// <param name="identifies">True if the identity in the certificate of a server is read.</param>
internal sealed class ClientHandshake(CertificateSource certificates, PeerPolicy servers, string? targetHost, bool identifies)
{
    /// <param name="link">An open link. The connection owns it; disposing it ends the handshake.</param>
    /// <param name="host">Server name of the address, or its host.</param>
    /// <param name="cancellationToken">Cancelled when the link is disposed from outside.</param>
    /// <exception cref="IOException">The handshake failed; the message says why.</exception>
    /// <exception cref="OperationCanceledException"><paramref name="cancellationToken"/> was cancelled.</exception>
    public async Task<StreamConnection> RunAsync(LinkStream link, string host, CancellationToken cancellationToken)
    {
        var validation = new PeerValidation(servers, "server", targetHost ?? host);
        bool lacksCertificate = false; // set during the handshake
        var stream = new SslStream(link);
        try
        {
            await stream.AuthenticateAsClientAsync(Options(validation, targetHost ?? host, () => lacksCertificate = true), cancellationToken)
                .ConfigureAwait(false);
            if (stream.NegotiatedApplicationProtocol != TlsProtocol.Application)
            {
                throw new AuthenticationException($"the server speaks TLS, but not {TlsProtocol.Application} (ALPN)");
            }

            var connection = StreamConnection.Over(stream, link);
            if (identifies && stream.RemoteCertificate is X509Certificate2 certificate) connection.Identity = CertificateIdentity.Of(certificate);
            // A TLS 1.3 server decides only after this side has finished.
            if (lacksCertificate) connection.EarlyEnd = TlsHint.NoClientCertificate;
            else if (stream.IsMutuallyAuthenticated) connection.EarlyEnd = TlsHint.ClientCertificateRefused(stream.LocalCertificate!.Subject);
            return connection;
        }
        catch (Exception e)
        {
            await stream.DisposeAsync().ConfigureAwait(false);
            cancellationToken.ThrowIfCancellationRequested();
            if (validation.Refusal is null && lacksCertificate) throw new IOException($"{TlsHint.NoClientCertificate} ({StreamFailure.Describe(e)})", e);
            throw new IOException($"TLS: {validation.Refusal ?? TlsHint.OfServer(link.Head, e)}", e);
        }
    }

    private SslClientAuthenticationOptions Options(PeerValidation validation, string host, Action onLack)
    {
        var own = certificates.Current;
        var options = Options(validation, host);
        options.ClientCertificateContext = own;
        if (own is null) options.LocalCertificateSelectionCallback = (_, _, _, remote, _) =>
        {
            if (remote is not null) onLack(); // a second call with the server's certificate: the server demands a client certificate
            return null!;
        };
        return options;
    }

    private SslClientAuthenticationOptions Options(PeerValidation validation, string host) => new()
    {
        TargetHost = host,
        EnabledSslProtocols = TlsProtocol.Versions,
        ApplicationProtocols = [TlsProtocol.Application],
        AllowRenegotiation = false,
        CertificateChainPolicy = servers.ToChainPolicy(),
        RemoteCertificateValidationCallback = validation.Validate,
    };
}

/// <summary>Validates the peer's certificate in one handshake, and describes the reason of a rejection.</summary>
/// <param name="policy">Requirements for the certificate.</param>
/// <param name="peer">Role of the peer: "client" or "server".</param>
/// <param name="host">Host name that the certificate must have; null if none is required.</param>
internal sealed class PeerValidation(PeerPolicy policy, string peer, string? host)
{
    /// <summary>Reason why the certificate was rejected; null if it was accepted or not checked yet.</summary>
    public string? Refusal { get; private set; }

    /// <summary>The callback of <see cref="SslStream"/>. Never accepts a certificate that the system rejects.</summary>
    public bool Validate(object sender, X509Certificate? certificate, X509Chain? chain, SslPolicyErrors errors)
    {
        if (certificate is not X509Certificate2 presented) Refusal = $"the {peer} sent no certificate";
        else if (errors is not SslPolicyErrors.None) Refusal = $"the {peer}'s certificate {Describe(chain?.ChainStatus ?? [], errors)}";
        else if (!policy.IsMeantFor(presented)) Refusal = $"the {peer}'s certificate is not meant for a {peer} (extended key usage)";
        else if (policy.FindRevoked(presented, chain!) is { Count: > 0 } found)
            Refusal = $"the {peer}'s certificate {Describe(found, SslPolicyErrors.RemoteCertificateChainErrors)}";
        return Refusal is null;
    }

    private string Describe(IEnumerable<X509ChainStatus> statuses, SslPolicyErrors errors)
    {
        var reasons = statuses.Select(Describe).Distinct(StringComparer.Ordinal).ToList();
        if (errors.HasFlag(SslPolicyErrors.RemoteCertificateNameMismatch)) reasons.Insert(0, $"is not for the host '{host}'");
        return reasons.Count > 0 ? string.Join(", ", reasons) : $"was refused by the system ({errors})";
    }

    private string Describe(X509ChainStatus status) => status.Status switch
    {
        X509ChainStatusFlags.NotTimeValid => "is expired or not valid yet",
        X509ChainStatusFlags.NotValidForUsage => $"is not meant for a {peer} (extended key usage)",
        X509ChainStatusFlags.UntrustedRoot or X509ChainStatusFlags.PartialChain => "does not lead to a trusted root",
        X509ChainStatusFlags.NotSignatureValid => "has an invalid signature",
        X509ChainStatusFlags.Revoked => "is revoked",
        X509ChainStatusFlags.RevocationStatusUnknown or X509ChainStatusFlags.OfflineRevocation => "may be revoked: its revocation status could not be checked",
        var other => $"is invalid ({other})",
    };
}

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
