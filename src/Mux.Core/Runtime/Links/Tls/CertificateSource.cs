using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using Microsoft.Extensions.Logging;
using Mux.Transports.Tls;

namespace Mux.Runtime;

/// <summary>The certificate of one side, ready for handshakes. Replaced when its files or its store have a new one. Thread-safe.</summary>
/// <remarks>
/// A disk may block. So a thread of its own looks, and a handshake waits for it only a moment: later ones get what it has found. A look that takes too long is
/// logged and abandoned, and after a pause another begins: the path may lead to another disk by then. Its thread cannot be ended, so the pauses grow until one
/// ends: a day of them keeps a dozen threads.
/// </remarks>
internal sealed class CertificateSource
{
    /// <summary>Milliseconds for which the handshake that begins a look waits for it: it shall get a certificate that was just replaced.</summary>
    private const int HandshakeWait = 1_000;

    /// <summary>Time for a look; one that takes longer is abandoned.</summary>
    public static readonly TimeSpan LongestLook = TimeSpan.FromSeconds(10);

    private static readonly TimeSpan s_pause = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_firstWhenStuck = TimeSpan.FromMinutes(1);
    private static readonly TimeSpan s_mostWhenStuck = TimeSpan.FromDays(1);

    private readonly TlsOptions _options;
    private readonly ILogger _logger;
    private readonly TimeProvider _timeProvider;
    private readonly Lock _gate = new(); // guards the next three
    private long _looked; // time of the last look
    private Look? _look; // the one that runs
    private TimeSpan _pause = s_pause; // until the next look; longer after one that was abandoned
    private SslStreamCertificateContext? _context; // replaced as a whole
    private (FileStamp, FileStamp) _loaded; // stamps of the files of _context; owned by the look that runs
    private (FileStamp, FileStamp)? _refused; // stamps of unusable files, logged once; owned by the look that runs
    private bool _isMissing; // missing in the store, logged once; owned by the look that runs

    /// <param name="options">Validated options.</param>
    /// <param name="logger">Logs new certificates.</param>
    /// <param name="timeProvider">Times the checks, and decides which certificates are valid.</param>
    /// <exception cref="ArgumentException">
    /// The files can no longer be read, or the store no longer has a certificate, or reading took longer than 10 s.
    /// </exception>
    public CertificateSource(TlsOptions options, ILogger logger, TimeProvider timeProvider)
    {
        _options = options;
        _logger = logger;
        _timeProvider = timeProvider;
        _looked = timeProvider.GetTimestamp();
        if (options.Certificate is { } given) _context = Ready(given);
        if (options.CertificateStore is { } store)
        {
            _context = Ready(
                options.FindIn(store, timeProvider.GetUtcNow(), out var missing) ?? throw new ArgumentException(missing));
        }

        if (options.CertificatePath is null) return;
        _context = options.Reads.Try(Name, LoadFirst, out var error) ?? throw new ArgumentException(error);
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

    private SslStreamCertificateContext? LoadFirst(out string? error)
    {
        _loaded = Stamps(); // before reading, as in later looks
        return CertificateFile.TryLoad(_options, out error);
    }

    private void LookIfDue()
    {
        Look? begun = null;
        TimeSpan pause;
        lock (_gate)
        {
            long now = _timeProvider.GetTimestamp();
            if (_look is { } running)
            {
                if (_timeProvider.GetElapsedTime(running.Began, now) < LongestLook) return;
                (_look, _looked) = (null, now);
                _pause = _pause < s_firstWhenStuck ? s_firstWhenStuck : _pause * 2 < s_mostWhenStuck ? _pause * 2 : s_mostWhenStuck;
            }
            else
            {
                if (_timeProvider.GetElapsedTime(_looked, now) < _pause) return;
                _looked = now;
                _look = begun = new Look(now);
            }

            pause = _pause;
        }

        if (begun is null)
        {
            TlsLog.CertificateKept(
                _logger, $"{Name} was not read within {LongestLook.TotalSeconds:0} s: its disk blocks. " +
                $"The next attempt is in {pause.TotalMinutes:0} min.");
        }
        else if (EngineThread.TryStart(() => Run(begun), "Mux certificate"))
        {
            begun.Ended.Wait(HandshakeWait);
        }
        else
        {
            End(begun);
        }
    }

    private string Name => _options.CertificateStore is { } store ? $"The {store}" : $"'{_options.CertificatePath}'";

    private void Run(Look look)
    {
        try
        {
            if (_options.CertificateStore is { } store) LookInto(look, store);
            else LookAtFiles(look);
        }
        catch (Exception error)
        {
            TlsLog.CertificateKept(_logger, $"{Name} cannot be used: {error.Message}"); // the thread must not end the process
        }
        finally
        {
            End(look);
        }
    }

    private void End(Look look)
    {
        lock (_gate)
        {
            if (_look == look) _look = null;
            _pause = s_pause; // also when one ends that was abandoned: what blocked works again
        }

        look.Ended.Set();
    }

    /// <summary>True if the look has not been abandoned: what it has found counts.</summary>
    private bool IsCurrent(Look look)
    {
        lock (_gate) return _look == look;
    }

    private void LookAtFiles(Look look)
    {
        var stamps = Stamps(); // before reading: a change during the read shows in the next check
        if (stamps == _loaded) return;
        var context = CertificateFile.TryLoad(_options, out var error);
        if (!IsCurrent(look)) return;
        if (context is not null)
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

    private void LookInto(Look look, TlsCertificateStore store)
    {
        var found = store.TryFind(_timeProvider.GetUtcNow(), out var error);
        if (!IsCurrent(look)) return;
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

    /// <summary>One look for a new certificate.</summary>
    private sealed class Look(long began)
    {
        public long Began => began;

        public ManualResetEventSlim Ended { get; } = new();
    }

    /// <summary>Write time and length of a file, to detect changes. Follows links.</summary>
    private readonly record struct FileStamp(DateTime Written, long Length)
    {
        /// <summary>Reads the stamp of the current file; default if it cannot be read.</summary>
        public static FileStamp Of(string? path)
        {
            if (path is null) return default;
            try
            {
                using var file = RegularFile.Open(path); // follows links; the timestamps of a path do not
                return new FileStamp(File.GetLastWriteTimeUtc(file.SafeFileHandle), file.CanSeek ? file.Length : -1);
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException or NotSupportedException)
            {
                return default;
            }
        }
    }
}
