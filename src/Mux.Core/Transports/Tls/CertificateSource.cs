using System.Net.Security;
using Microsoft.Extensions.Logging;

namespace Mux.Transports.Tls;

/// <summary>The certificate of one side, made ready for handshakes once and replaced when its files change. Safe for concurrent use.</summary>
internal sealed class CertificateSource
{
    private const long Looking = long.MaxValue;
    private static readonly TimeSpan s_pause = TimeSpan.FromSeconds(1);

    private readonly TlsOptions _options;
    private readonly ILogger _logger;
    private readonly TimeProvider _timeProvider;
    private SslStreamCertificateContext? _context; // swapped as a whole
    private long _looked; // when somebody last began to look at the files, or Looking: there is one at a time, however slow the disk is
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
        if (options.Certificate is { } given) _context = SslStreamCertificateContext.Create(given, additionalCertificates: null, offline: true);
        if (options.CertificatePath is null) return;
        _loaded = Stamps();
        _context = CertificateFile.TryLoad(options, out var error) ?? throw new ArgumentException(error);
    }

    /// <summary>What a handshake that begins now uses; null without a certificate.</summary>
    public SslStreamCertificateContext? Current
    {
        get
        {
            if (_options.CertificatePath is not null) LookIfDue();
            return Volatile.Read(ref _context);
        }
    }

    private void LookIfDue()
    {
        long looked = Volatile.Read(ref _looked);
        long now = _timeProvider.GetTimestamp();
        if (looked == Looking || _timeProvider.GetElapsedTime(looked, now) < s_pause || Interlocked.CompareExchange(ref _looked, Looking, looked) != looked) return;
        try
        {
            Look();
        }
        finally
        {
            Volatile.Write(ref _looked, now);
        }
    }

    private void Look()
    {
        var stamps = Stamps(); // before reading: what is written meanwhile shows the next time
        if (stamps == _loaded) return;
        if (CertificateFile.TryLoad(_options, out var error) is { } context)
        {
            Volatile.Write(ref _context, context);
            _loaded = stamps;
            TlsLog.CertificateReloaded(_logger, _options.CertificatePath!, context.TargetCertificate.Thumbprint, context.TargetCertificate.NotAfter);
        }
        else if (stamps != _refused)
        {
            _refused = stamps;
            TlsLog.CertificateKept(_logger, error!);
        }
    }

    private (FileStamp, FileStamp) Stamps() => (FileStamp.Of(_options.CertificatePath), FileStamp.Of(_options.CertificateKeyPath));
}
