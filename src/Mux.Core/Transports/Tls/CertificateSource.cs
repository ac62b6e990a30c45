using System.Net.Security;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Microsoft.Extensions.Logging;

namespace Mux.Transports.Tls;

/// <summary>The certificate of one side, made ready for handshakes once and replaced when its files change. Safe for concurrent use.</summary>
internal sealed class CertificateSource
{
    private static readonly TimeSpan s_pause = TimeSpan.FromSeconds(1);

    private readonly TlsOptions _options;
    private readonly ILogger _logger;
    private readonly TimeProvider _timeProvider;
    private SslStreamCertificateContext? _context; // swapped as a whole
    private long _looked; // when somebody last looked at the files, who is the only one to do so until the pause is over
    private (FileStamp, FileStamp) _loaded; // of the files behind _context; of whoever looks
    private (FileStamp, FileStamp) _refused; // of those that could not be used, told once; of whoever looks

    /// <param name="options">Validated.</param>
    /// <param name="logger">Told about new certificates.</param>
    /// <param name="timeProvider">Times the looks at the files.</param>
    /// <exception cref="ArgumentException">The files cannot be read any more.</exception>
    public CertificateSource(TlsOptions options, ILogger logger, TimeProvider timeProvider)
    {
        _options = options;
        _logger = logger;
        _timeProvider = timeProvider;
        _looked = timeProvider.GetTimestamp();
        if (options.Certificate is { } given) _context = Prepare([given]);
        if (options.CertificatePath is null) return;
        _loaded = Stamps();
        _context = Prepare(CertificateFile.TryLoad(options, out var error) ?? throw new ArgumentException(error));
    }

    /// <summary>What a handshake that begins now uses; null without a certificate.</summary>
    public SslStreamCertificateContext? Current
    {
        get
        {
            long looked = Volatile.Read(ref _looked);
            bool isDue = _options.CertificatePath is not null && _timeProvider.GetElapsedTime(looked) >= s_pause;
            if (isDue && Interlocked.CompareExchange(ref _looked, _timeProvider.GetTimestamp(), looked) == looked) Look();
            return Volatile.Read(ref _context);
        }
    }

    private void Look()
    {
        var stamps = Stamps(); // before reading: what is written meanwhile shows the next time
        if (stamps == _loaded) return;
        if (CertificateFile.TryLoad(_options, out var error) is { } certificates && TryPrepare(certificates, out error) is { } context)
        {
            Volatile.Write(ref _context, context);
            _loaded = stamps;
            TlsLog.CertificateReloaded(_logger, _options.CertificatePath!, certificates[0].Thumbprint, certificates[0].NotAfter);
        }
        else if (stamps != _refused)
        {
            _refused = stamps;
            TlsLog.CertificateKept(_logger, error!);
        }
    }

    /// <returns>Null if the key is of a kind that TLS does not take; no handshake must find that out.</returns>
    private SslStreamCertificateContext? TryPrepare(X509Certificate2Collection certificates, out string? error)
    {
        try
        {
            error = null;
            return Prepare(certificates);
        }
        catch (Exception e) when (e is NotSupportedException or CryptographicException or ArgumentException)
        {
            error = $"'{_options.CertificatePath}' cannot be used: {e.Message.TrimEnd('.')}.";
            return null;
        }
    }

    private (FileStamp, FileStamp) Stamps() => (FileStamp.Of(_options.CertificatePath), FileStamp.Of(_options.CertificateKeyPath));

    /// <summary>Offline: no handshake waits for a download.</summary>
    private static SslStreamCertificateContext Prepare(X509Certificate2Collection certificates) =>
        SslStreamCertificateContext.Create(certificates[0], [.. certificates.Skip(1)], offline: true);
}
