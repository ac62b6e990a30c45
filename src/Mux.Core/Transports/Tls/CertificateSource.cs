using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using Microsoft.Extensions.Logging;

namespace Mux.Transports.Tls;

/// <summary>The certificate of one side, ready for handshakes. Replaced when its files or its store have a new one. Thread-safe.</summary>
internal sealed class CertificateSource
{
    private const long Looking = long.MaxValue;
    private static readonly TimeSpan s_pause = TimeSpan.FromSeconds(1);

    private readonly TlsOptions _options;
    private readonly ILogger _logger;
    private readonly TimeProvider _timeProvider;
    private SslStreamCertificateContext? _context; // replaced as a whole
    private long _looked; // time of the last check, or Looking: one thread checks at a time, however slow the disk is
    private (FileStamp, FileStamp) _loaded; // stamps of the files of _context; owned by the checking thread
    private (FileStamp, FileStamp) _refused; // stamps of unusable files, logged once; owned by the checking thread
    private bool _isMissing; // missing in the store, logged once; owned by the checking thread

    /// <param name="options">Validated options.</param>
    /// <param name="logger">Logs new certificates.</param>
    /// <param name="timeProvider">Times the checks, and decides which certificates are valid.</param>
    /// <exception cref="ArgumentException">The files can no longer be read, or the store no longer has a certificate.</exception>
    public CertificateSource(TlsOptions options, ILogger logger, TimeProvider timeProvider)
    {
        _options = options;
        _logger = logger;
        _timeProvider = timeProvider;
        _looked = timeProvider.GetTimestamp();
        if (options.Certificate is { } given) _context = Ready(given);
        if (options.CertificateStore is { } store)
        {
            _context = Ready(store.TryFind(timeProvider.GetUtcNow(), out var missing) ?? throw new ArgumentException(missing));
        }

        if (options.CertificatePath is null) return;
        _loaded = Stamps();
        _context = CertificateFile.TryLoad(options, out var error) ?? throw new ArgumentException(error);
    }

    /// <summary>The certificate for a handshake that starts now; null if there is none.</summary>
    public SslStreamCertificateContext? Current
    {
        get
        {
            if (_options.CertificatePath is not null || _options.CertificateStore is not null) LookIfDue();
            return Volatile.Read(ref _context);
        }
    }

    private void LookIfDue()
    {
        long looked = Volatile.Read(ref _looked);
        long now = _timeProvider.GetTimestamp();
        if (looked == Looking || _timeProvider.GetElapsedTime(looked, now) < s_pause || Interlocked.CompareExchange(ref _looked, Looking, looked) != looked)
        {
            return;
        }

        try
        {
            if (_options.CertificateStore is { } store) Look(store);
            else Look();
        }
        finally
        {
            Volatile.Write(ref _looked, now);
        }
    }

    private void Look()
    {
        var stamps = Stamps(); // before reading: a change during the read shows in the next check
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

    private void Look(TlsCertificateStore store)
    {
        var found = store.TryFind(_timeProvider.GetUtcNow(), out var error);
        if (found is null)
        {
            if (!_isMissing) TlsLog.CertificateKept(_logger, error!);
            _isMissing = true;
            return;
        }

        _isMissing = false;
        if (found.Thumbprint == Volatile.Read(ref _context)!.TargetCertificate.Thumbprint)
        {
            found.Dispose();
            return;
        }

        Volatile.Write(ref _context, Ready(found));
        TlsLog.CertificateReloaded(_logger, store.ToString(), found.Thumbprint, found.NotAfter);
    }

    // Offline: no handshake waits for a download.
    private static SslStreamCertificateContext Ready(X509Certificate2 certificate) =>
        SslStreamCertificateContext.Create(certificate, additionalCertificates: null, offline: true);

    private (FileStamp, FileStamp) Stamps() => (FileStamp.Of(_options.CertificatePath), FileStamp.Of(_options.CertificateKeyPath));

    /// <summary>Write time and length of a file, to detect changes. Follows links.</summary>
    private readonly record struct FileStamp(DateTime Written, long Length)
    {
        /// <summary>Reads the stamp of the current file; default if it cannot be read.</summary>
        public static FileStamp Of(string? path)
        {
            if (path is null) return default;
            try
            {
                using var file = File.OpenHandle(path); // follows links; the timestamps of a path do not
                return new FileStamp(File.GetLastWriteTimeUtc(file), RandomAccess.GetLength(file));
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException or NotSupportedException)
            {
                return default;
            }
        }
    }
}
