using System.Net.Security;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Mux.Transports.Tls;

/// <summary>Reads certificates from files.</summary>
internal static class CertificateFile
{
    private const string Begin = "-----BEGIN CERTIFICATE-----";

    /// <summary>
    /// The certificate with its key and the intermediate ones behind it, ready for handshakes: no handshake must find out that the key is of a kind that TLS
    /// does not take.
    /// </summary>
    /// <returns>Null if they cannot be used; then <paramref name="error"/> names the file and the reason.</returns>
    public static SslStreamCertificateContext? TryLoad(TlsOptions options, out string? error)
    {
        var (path, keyPath, password) = (options.CertificatePath!, options.CertificateKeyPath, options.CertificatePassword);
        return Try(
            keyPath is null ? $"'{path}'" : $"'{path}' with the key in '{keyPath}'",
            () =>
            {
                var all = IsPkcs12(path) ? LoadPkcs12(path, password) : LoadPem(path, keyPath, password);
                return SslStreamCertificateContext.Create(all[0], [.. all.Skip(1)], offline: true); // no handshake waits for a download
            },
            out error);
    }

    /// <returns>Null if they cannot be read; then <paramref name="error"/> names the file and the reason.</returns>
    public static X509Certificate2Collection? TryLoadRoots(string path, out string? error) => Try($"'{path}'", () => Parse(File.ReadAllText(path)), out error);

    /// <summary>Whether a file holds its key itself, by its name.</summary>
    public static bool IsPkcs12(string path) =>
        path.EndsWith(".pfx", StringComparison.OrdinalIgnoreCase) || path.EndsWith(".p12", StringComparison.OrdinalIgnoreCase);

    /// <summary>All certificates of a PEM text. One that is cut short would be left out without a word, and the others taken.</summary>
    private static X509Certificate2Collection Parse(string pem)
    {
        var all = new X509Certificate2Collection();
        all.ImportFromPem(pem);
        int begun = pem.AsSpan().Count(Begin);
        if (begun == 0) throw new CryptographicException("there is no certificate in it");
        return all.Count == begun ? all : throw new CryptographicException($"{begun} certificates begin in it, and {all.Count} are whole");
    }

    private static X509Certificate2Collection LoadPkcs12(string path, string? password)
    {
        var all = X509CertificateLoader.LoadPkcs12CollectionFromFile(path, password);
        var leaf = all.FirstOrDefault(certificate => certificate.HasPrivateKey)
            ?? throw new CryptographicException("there is no certificate with a private key in it");
        return [leaf, .. all.Where(certificate => !ReferenceEquals(certificate, leaf))];
    }

    private static X509Certificate2Collection LoadPem(string path, string? keyPath, string? password)
    {
        var pem = File.ReadAllText(path);
        var keyPem = keyPath is null ? pem : File.ReadAllText(keyPath);
        var all = Parse(pem);
        all[0].Dispose();
        if (WhyNoKey(keyPem, password) is { } why) throw new CryptographicException(why);
        all[0] = Usable(password is null ? X509Certificate2.CreateFromPem(pem, keyPem) : X509Certificate2.CreateFromEncryptedPem(pem, keyPem, password));
        return all;
    }

    /// <summary>The mistakes for which the platform has one text that fits them all.</summary>
    private static string? WhyNoKey(string pem, string? password)
    {
        if (!pem.Contains("PRIVATE KEY-----", StringComparison.Ordinal))
        {
            return $"there is no private key in it; {nameof(TlsOptions.CertificateKeyPath)} names the file that has it";
        }

        bool isEncrypted = pem.Contains("-----BEGIN ENCRYPTED PRIVATE KEY-----", StringComparison.Ordinal);
        if (isEncrypted && password is null) return $"the private key is encrypted; {nameof(TlsOptions.CertificatePassword)} opens it";
        return !isEncrypted && password is not null ? $"{nameof(TlsOptions.CertificatePassword)} is set, and the private key is not encrypted" : null;
    }

    /// <summary>Windows cannot use keys that are in memory only: a certificate that went through PKCS #12 has another kind.</summary>
    private static X509Certificate2 Usable(X509Certificate2 certificate)
    {
        if (!OperatingSystem.IsWindows()) return certificate;
        using (certificate) return X509CertificateLoader.LoadPkcs12(certificate.Export(X509ContentType.Pkcs12), null);
    }

    private static T? Try<T>(string what, Func<T> load, out string? error)
        where T : class
    {
        try
        {
            error = null;
            return load();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or CryptographicException or ArgumentException or NotSupportedException)
        {
            error = $"{what} cannot be used: {e.Message.TrimEnd('.')}.";
            return null;
        }
    }
}
