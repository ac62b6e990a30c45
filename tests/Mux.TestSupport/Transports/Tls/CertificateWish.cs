namespace Mux.TestSupport.Transports.Tls;

/// <summary>What a certificate is to be.</summary>
public sealed record CertificateWish
{
    /// <summary>By OID; null for a certificate without any.</summary>
    public string? Usage { get; init; } = "1.3.6.1.5.5.7.3.1";

    public string Host { get; init; } = "localhost";

    /// <summary>Days from now, negative for one that is over.</summary>
    public int ValidDays { get; init; } = 30;

    /// <summary>Where the list of revoked certificates stands; null for a certificate that names none.</summary>
    public string? RevocationList { get; init; }

    /// <summary>For a server at localhost and 127.0.0.1.</summary>
    public static CertificateWish Server { get; } = new();

    public static CertificateWish Client { get; } = new() { Usage = "1.3.6.1.5.5.7.3.2" };
}
