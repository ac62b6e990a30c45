using System.Net.Security;
using System.Security.Cryptography.X509Certificates;

namespace Mux.Runtime;

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
