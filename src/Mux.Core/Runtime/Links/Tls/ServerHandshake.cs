using System.Net.Security;
using System.Runtime.ExceptionServices;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using Mux.Transports.Streams;
using Mux.Transports.Tls;

namespace Mux.Runtime;

/// <summary>Runs the TLS handshake of links that a server accepts. Thread-safe.</summary>
/// <param name="certificates">Source of the server certificate.</param>
/// <param name="clients">Requirements for client certificates; null if clients need none.</param>
internal sealed class ServerHandshake(CertificateSource certificates, PeerPolicy? clients)
{
    /// <summary>Creates the validation for one handshake; null if clients need no certificate.</summary>
    public PeerValidation? CreateValidation() => clients is null ? null : new PeerValidation(clients, "client", host: null);

    /// <param name="link">A link that is not open yet. The connection owns it; disposing it ends the handshake.</param>
    /// <param name="validation">Result of <see cref="CreateValidation"/>. Afterwards it tells whether the certificate was rejected.</param>
    /// <exception cref="AuthenticationException">The client was rejected; the message says why.</exception>
    /// <exception cref="Exception">The handshake failed for another reason.</exception>
    public async Task<StreamConnection> RunAsync(LinkStream link, PeerValidation? validation)
    {
        var stream = new SslStream(link);
        try
        {
            await link.OpenAsync().ConfigureAwait(false);
            await stream.AuthenticateAsServerAsync(Options(validation)).ConfigureAwait(false);
            if (stream.NegotiatedApplicationProtocol != TlsProtocol.Application)
            {
                throw new AuthenticationException($"the client offers no application protocol (ALPN): expected {TlsProtocol.Application}");
            }

            var connection = StreamConnection.Over(stream, link);
            if (clients is not null && stream.RemoteCertificate is X509Certificate2 certificate) connection.Identity = CertificateIdentity.Of(certificate);
            return connection;
        }
        catch (Exception e)
        {
            await stream.DisposeAsync().ConfigureAwait(false);
            if (validation?.Refusal is { } refusal) throw new AuthenticationException(refusal, e);
            throw;
        }
    }

    private SslServerAuthenticationOptions Options(PeerValidation? validation)
    {
        var options = new SslServerAuthenticationOptions
        {
            ServerCertificateContext = certificates.Current,
            EnabledSslProtocols = TlsProtocol.Versions,
            ApplicationProtocols = [TlsProtocol.Application],
            AllowRenegotiation = false,
        };
        if (validation is null) return options;
        options.ClientCertificateRequired = true;
        options.AllowTlsResume = false; // a resumed session would skip the check
        options.CertificateChainPolicy = clients!.ToChainPolicy();
        options.RemoteCertificateValidationCallback = validation.Validate;
        return options;
    }
}

/// <summary>Settings common to all handshakes.</summary>
internal static class TlsProtocol
{
    public const SslProtocols Versions = SslProtocols.Tls12 | SslProtocols.Tls13;

    /// <summary>ALPN name of the protocol, which both peers must offer.</summary>
    public static readonly SslApplicationProtocol Application = new("mux/1");
}

/// <summary>Loads something, or says why it cannot.</summary>
/// <returns>Null if it cannot be used; <paramref name="error"/> then names it and the reason.</returns>
internal delegate T? TryLoad<T>(out string? error)
    where T : class;

/// <summary>
/// Reads what a transport needs before it exists. A disk may block, and a start that hangs does not say why: so a
/// thread of its own reads, and the start is given up after a while. That thread cannot be ended, and lives until the
/// disk answers. Safe for concurrent use.
/// </summary>
/// <param name="longest">Time for each read.</param>
/// <param name="begins">Runs before each read, on its thread: a test blocks there in place of a disk.</param>
internal sealed class StartReads(TimeSpan longest, Action? begins = null)
{
    /// <summary>Those of every start: as long as a look of <see cref="CertificateSource"/>.</summary>
    public static StartReads Default { get; } = new(CertificateSource.LongestLook);

    /// <summary>Time for each read.</summary>
    public TimeSpan Longest => longest;

    /// <param name="what">Names what is read, for the error.</param>
    /// <param name="load">Reads it. It continues after the time has passed, and its result is dropped then.</param>
    /// <param name="error">Why there is no result.</param>
    /// <returns>Null if it cannot be used, or the time has passed.</returns>
    public T? Try<T>(string what, TryLoad<T> load, out string? error)
        where T : class
    {
        var read = new Read<T>(load, begins);
        if (!EngineThread.TryStart(read.Run, "Mux start")) return load(out error); // no thread is left to wait for
        if (read.Ended.Wait(longest)) return read.Take(out error);
        error = $"{what} was not read within {longest.TotalSeconds:0.###} s: its disk blocks. The start was given up.";
        return null;
    }

    /// <summary>One read. Its thread writes the outcome before the end is signalled.</summary>
    private sealed class Read<T>(TryLoad<T> load, Action? begins)
        where T : class
    {
        private T? _result;
        private string? _error;
        private ExceptionDispatchInfo? _thrown;

        public ManualResetEventSlim Ended { get; } = new();

        public void Run()
        {
            try
            {
                begins?.Invoke();
                _result = load(out _error);
            }
            catch (Exception error)
            {
                _thrown = ExceptionDispatchInfo.Capture(error); // the caller's: the thread must not end the process
            }

            Ended.Set();
        }

        public T? Take(out string? error)
        {
            _thrown?.Throw();
            error = _error;
            return _result;
        }
    }
}
