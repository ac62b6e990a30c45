using System.Net.Security;
using System.Runtime.InteropServices;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using Microsoft.Win32.SafeHandles;
using Mux.Transports.Tls;

namespace Mux.Runtime;

/// <summary>Reads certificates from files.</summary>
internal static class CertificateFile
{
    /// <summary>Most bytes of a file: the roots of all the world's authorities take a quarter of a megabyte.</summary>
    private const int MostBytes = 4 << 20;

    private const string Begin = "-----BEGIN CERTIFICATE-----";

    /// <summary>
    /// Loads the certificate with its key and intermediate certificates, ready for handshakes. Rejects keys that TLS cannot use here, so that no handshake
    /// fails because of them.
    /// </summary>
    /// <returns>Null if it cannot be used; <paramref name="error"/> then names the file and the reason.</returns>
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

    /// <returns>Null if they cannot be read; <paramref name="error"/> then names the file and the reason.</returns>
    public static X509Certificate2Collection? TryLoadRoots(string path, out string? error) => Try($"'{path}'", () => Parse(ReadText(path)), out error);

    /// <summary>True if the file includes its key, judged by its name.</summary>
    public static bool IsPkcs12(string path) =>
        path.EndsWith(".pfx", StringComparison.OrdinalIgnoreCase) || path.EndsWith(".p12", StringComparison.OrdinalIgnoreCase);

    /// <summary>Parses all certificates of a PEM text. Throws if one is truncated: the platform would silently skip it.</summary>
    private static X509Certificate2Collection Parse(string pem)
    {
        var all = new X509Certificate2Collection();
        all.ImportFromPem(pem);
        int begun = pem.AsSpan().Count(Begin);
        if (begun == 0) throw new CryptographicException("it contains no certificate");
        return all.Count == begun ? all : throw new CryptographicException($"it contains {begun} certificates, but only {all.Count} can be read");
    }

    private static X509Certificate2Collection LoadPkcs12(string path, string? password)
    {
        var all = X509CertificateLoader.LoadPkcs12Collection(Read(path), password);
        var leaf = all.FirstOrDefault(certificate => certificate.HasPrivateKey)
            ?? throw new CryptographicException("it contains no certificate with a private key");
        return [leaf, .. all.Where(certificate => !ReferenceEquals(certificate, leaf))];
    }

    private static X509Certificate2Collection LoadPem(string path, string? keyPath, string? password)
    {
        var pem = ReadText(path);
        var keyPem = keyPath is null ? pem : ReadText(keyPath);
        var all = Parse(pem);
        all[0].Dispose();
        if (WhyNoKey(keyPem, password) is { } why) throw new CryptographicException(why);
        all[0] = Usable(password is null ? X509Certificate2.CreateFromPem(pem, keyPem) : X509Certificate2.CreateFromEncryptedPem(pem, keyPem, password));
        return all;
    }

    /// <summary>Explains mistakes for which the platform has only one common message.</summary>
    private static string? WhyNoKey(string pem, string? password)
    {
        if (!pem.Contains("PRIVATE KEY-----", StringComparison.Ordinal))
        {
            return $"it contains no private key; set {nameof(TlsOptions.CertificateKeyPath)} to the file that does";
        }

        if (pem.Contains("Proc-Type: 4,ENCRYPTED", StringComparison.Ordinal))
        {
            return "the private key is encrypted in the traditional way (Proc-Type: 4,ENCRYPTED), which cannot be read; convert it with " +
                $"'openssl pkcs8 -topk8 -in OLD -out NEW', and set {nameof(TlsOptions.CertificatePassword)} to the password of the new file";
        }

        bool isEncrypted = pem.Contains("-----BEGIN ENCRYPTED PRIVATE KEY-----", StringComparison.Ordinal);
        if (isEncrypted && password is null) return $"the private key is encrypted; set {nameof(TlsOptions.CertificatePassword)}";
        return !isEncrypted && password is not null ? $"{nameof(TlsOptions.CertificatePassword)} is set, but the private key is not encrypted" : null;
    }

    /// <summary>Converts the key for Windows, which cannot use keys that are only in memory: a round trip through PKCS #12 changes that.</summary>
    private static X509Certificate2 Usable(X509Certificate2 certificate)
    {
        if (!OperatingSystem.IsWindows()) return certificate;
        using (certificate) return X509CertificateLoader.LoadPkcs12(certificate.Export(X509ContentType.Pkcs12), null);
    }

    private static string ReadText(string path)
    {
        using var reader = new StreamReader(new MemoryStream(Read(path)), Encoding.UTF8, detectEncodingFromByteOrderMarks: true);
        return reader.ReadToEnd();
    }

    private static byte[] Read(string path)
    {
        using var file = RegularFile.Open(path);
        if (!file.CanSeek) throw new IOException($"'{path}' is a pipe or a device: expected a regular file");
        var read = new MemoryStream();
        var part = new byte[16 * 1024];
        while (file.Read(part) is > 0 and var count)
        {
            read.Write(part, 0, count);
            if (read.Length > MostBytes) throw new IOException($"'{path}' has more than {MostBytes} bytes: expected certificates and a key");
        }

        return read.ToArray();
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

/// <summary>Opens files without waiting for the other end of a pipe, which may never come.</summary>
internal static partial class RegularFile
{
    private const FileShare Share = FileShare.ReadWrite | FileShare.Delete;

    /// <summary>Opens a path for reading, whatever it is. <see cref="FileStream.CanSeek"/> is false for a pipe or a terminal: reading it may block.</summary>
    public static FileStream Open(string path)
    {
        if (NonBlockingFlags is { } flags)
        {
            var handle = Open(Path.GetFullPath(path), flags);
            if (!handle.IsInvalid) return new FileStream(handle, FileAccess.Read, bufferSize: 0);
            handle.Dispose();
        }

        return new FileStream(path, FileMode.Open, FileAccess.Read, Share, bufferSize: 0); // throws with a good text what the call above did not tell
    }

    /// <summary>O_RDONLY, O_NONBLOCK and O_CLOEXEC; null where they have no known numbers, such as on Windows, whose pipes are no files.</summary>
    private static int? NonBlockingFlags => OperatingSystem.IsLinux() ? 0x80800 : OperatingSystem.IsMacOS() ? 0x1000004 : null;

    [LibraryImport("libc", EntryPoint = "open", StringMarshalling = StringMarshalling.Utf8)]
    private static partial SafeFileHandle Open(string path, int flags);
}
