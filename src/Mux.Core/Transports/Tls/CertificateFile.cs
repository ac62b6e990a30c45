using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Mux.Transports.Tls;

/// <summary>Reads certificates from files.</summary>
internal static class CertificateFile
{
    /// <summary>The certificate with its key first, intermediate ones behind it.</summary>
    /// <returns>Null if they cannot be read; then <paramref name="error"/> names the file and the reason.</returns>
    public static X509Certificate2Collection? TryLoad(TlsOptions options, out string? error)
    {
        var (path, keyPath, password) = (options.CertificatePath!, options.CertificateKeyPath, options.CertificatePassword);
        return Try(keyPath is null ? $"'{path}'" : $"'{path}' with the key in '{keyPath}'", () => IsPkcs12(path) ? LoadPkcs12(path, password) : LoadPem(path, keyPath, password), out error);
    }

    /// <returns>Null if they cannot be read; then <paramref name="error"/> names the file and the reason.</returns>
    public static X509Certificate2Collection? TryLoadRoots(string path, out string? error) => Try($"'{path}'", () => LoadRoots(path), out error);

    private static bool IsPkcs12(string path) => path.EndsWith(".pfx", StringComparison.OrdinalIgnoreCase) || path.EndsWith(".p12", StringComparison.OrdinalIgnoreCase);

    private static X509Certificate2Collection LoadRoots(string path)
    {
        var roots = new X509Certificate2Collection();
        roots.ImportFromPemFile(path);
        return roots.Count > 0 ? roots : throw new CryptographicException("there is no certificate in it");
    }

    private static X509Certificate2Collection LoadPkcs12(string path, string? password)
    {
        var all = X509CertificateLoader.LoadPkcs12CollectionFromFile(path, password);
        var leaf = all.FirstOrDefault(certificate => certificate.HasPrivateKey) ?? throw new CryptographicException("there is no certificate with a private key in it");
        return [leaf, .. all.Where(certificate => !ReferenceEquals(certificate, leaf))];
    }

    private static X509Certificate2Collection LoadPem(string path, string? keyPath, string? password)
    {
        var all = LoadRoots(path);
        all[0].Dispose();
        all[0] = Usable(password is null ? X509Certificate2.CreateFromPemFile(path, keyPath) : X509Certificate2.CreateFromEncryptedPemFile(path, password, keyPath));
        return all;
    }

    /// <summary>Windows cannot use keys that are in memory only: a certificate that went through PKCS #12 has another kind.</summary>
    private static X509Certificate2 Usable(X509Certificate2 certificate)
    {
        if (!OperatingSystem.IsWindows()) return certificate;
        using (certificate) return X509CertificateLoader.LoadPkcs12(certificate.Export(X509ContentType.Pkcs12), null);
    }

    private static X509Certificate2Collection? Try(string what, Func<X509Certificate2Collection> load, out string? error)
    {
        try
        {
            error = null;
            return load();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or CryptographicException or ArgumentException)
        {
            error = $"{what} cannot be used: {e.Message.TrimEnd('.')}.";
            return null;
        }
    }
}
