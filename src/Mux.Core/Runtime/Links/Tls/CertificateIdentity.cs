using System.Formats.Asn1;
using System.Security.Claims;
using System.Security.Cryptography.X509Certificates;

namespace Mux.Transports.Tls;

/// <summary>
/// Gets the identity of the holder of a certificate. The identity comes from the subject alternative names, never from the common name, which the holder may
/// choose freely.
/// </summary>
public static class CertificateIdentity
{
    /// <summary>The <see cref="System.Security.Principal.IIdentity.AuthenticationType"/> of the identity.</summary>
    public const string AuthenticationType = "certificate";

    // Choices of GeneralName in RFC 5280.
    private static readonly Asn1Tag s_dnsName = new(TagClass.ContextSpecific, 2);
    private static readonly Asn1Tag s_uri = new(TagClass.ContextSpecific, 6);

    /// <summary>Gets the identity in a certificate, which expires with the certificate. Does not check whether the certificate can be trusted.</summary>
    /// <param name="certificate">The peer's certificate.</param>
    /// <returns>An identity whose name is the first URI, else the first DNS name. All URIs, all DNS names and the thumbprint (SHA-256) are claims. Null for a
    /// certificate that has neither a URI nor a DNS name, or is malformed.
    /// </returns>
    public static PeerIdentity? Of(X509Certificate2 certificate)
    {
        ArgumentNullException.ThrowIfNull(certificate);
        var (uris, names) = ReadNames(certificate);
        if ((uris.FirstOrDefault() ?? names.FirstOrDefault()) is not { } name) return null;
        List<Claim> claims = [new(ClaimTypes.NameIdentifier, name), new(ClaimTypes.Name, name), .. uris.Select(uri => new Claim(ClaimTypes.Uri, uri)),
            .. names.Select(dns => new Claim(ClaimTypes.Dns, dns))];
        claims.Add(new(ClaimTypes.Thumbprint, certificate.GetCertHashString(System.Security.Cryptography.HashAlgorithmName.SHA256)));
        return new PeerIdentity(new ClaimsPrincipal(new ClaimsIdentity(claims, AuthenticationType)), new DateTimeOffset(certificate.NotAfter));
    }

    private static (List<string> Uris, List<string> Names) ReadNames(X509Certificate2 certificate)
    {
        var (uris, names) = (new List<string>(), new List<string>());
        if (certificate.Extensions.OfType<X509SubjectAlternativeNameExtension>().FirstOrDefault() is not { } extension) return (uris, names);
        try
        {
            var sequence = new AsnReader(extension.RawData, AsnEncodingRules.DER).ReadSequence();
            while (sequence.HasData)
            {
                var tag = sequence.PeekTag();
                if (tag.HasSameClassAndValue(s_uri)) uris.Add(sequence.ReadCharacterString(UniversalTagNumber.IA5String, s_uri));
                else if (tag.HasSameClassAndValue(s_dnsName)) names.Add(sequence.ReadCharacterString(UniversalTagNumber.IA5String, s_dnsName));
                else sequence.ReadEncodedValue();
            }
        }
        catch (AsnContentException)
        {
            return ([], []); // the names before the defect may not be the identity that the issuer meant
        }

        return (uris, names);
    }
}
