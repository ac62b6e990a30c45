namespace Mux.TestSupport.Transports.Tls;

/// <summary>What a certificate is to be.</summary>
public sealed record CertificateWish
{
    /// <summary>By OID; null for a certificate without any.</summary>
    public string? Usage { get; init; } = "1.3.6.1.5.5.7.3.1";

    public string Host { get; init; } = "localhost";

    /// <summary>Beside the host.</summary>
    public IReadOnlyList<string> Uris { get; init; } = [];

    /// <summary>Whether it has alternative names at all, and not the host as its common name alone.</summary>
    public bool HasAlternativeNames { get; init; } = true;

    /// <summary>Days from now, negative for one that is over.</summary>
    public int ValidDays { get; init; } = 30;

    /// <summary>Where the list of revoked certificates stands; null for a certificate that names none.</summary>
    public string? RevocationList { get; init; }

    /// <summary>For a server at localhost and 127.0.0.1.</summary>
    public static CertificateWish Server { get; } = new();

    public static CertificateWish Client { get; } = new() { Usage = "1.3.6.1.5.5.7.3.2" };
}
