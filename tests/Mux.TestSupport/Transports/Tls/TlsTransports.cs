using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Mux.Transports;
using Mux.Transports.Tls;

namespace Mux.TestSupport.Transports.Tls;

/// <summary>TLS over loopback, between sides that trust the same <see cref="TestAuthority"/>.</summary>
public static class TlsTransports
{
    private static readonly TlsServerOptions s_server = Server();

    public static MuxAddress FreeAddress { get; } = MuxAddress.Parse("muxs://127.0.0.1:0");

    public static TlsServerOptions Server() => new() { Certificate = TestAuthority.Shared.Issue(CertificateWish.Server), MaxPendingHandshakesPerAddress = 256 }; // all tests come from one address

    public static TlsClientOptions Client() => new() { TrustedRoots = TestAuthority.Shared.Roots };

    /// <summary>Both sides; those that are not given are as above, and the links those of the fastest engine.</summary>
    public static TlsTransport Create(
        TlsServerOptions? server = null, TlsClientOptions? client = null, ILogger? logger = null, ITransport? links = null, TimeProvider? time = null)
    {
        logger ??= NullLogger.Instance;
        time ??= TimeProvider.System;
        return links is null
            ? new TlsTransport(server ?? s_server, client ?? Client(), logger, time)
            : new TlsTransport(server ?? s_server, client ?? Client(), links, logger, time);
    }
}
