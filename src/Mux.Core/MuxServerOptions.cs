using Mux.Addresses;
using Mux.Identity;
using Mux.Transports.Epoll;
using Mux.Transports.Sockets;
using Mux.Transports.Tls;
using Mux.Wire;

namespace Mux;

/// <summary>How a server listens and what it takes.</summary>
public sealed class MuxServerOptions : MuxOptions
{
    private int? _maxCallsPerConnection;

    /// <summary>Creates options with the defaults of a server.</summary>
    public MuxServerOptions()
    {
        KeepAliveTime = TimeSpan.FromMinutes(2);
        DrainTimeout = TimeSpan.FromSeconds(20);
    }

    /// <summary>How a <c>muxs</c> address speaks TLS; it needs a certificate at least.</summary>
    /// <value>Null by default. Set only with such an address, and without <see cref="MuxOptions.Transport"/>.</value>
    public TlsServerOptions? Tls { get; set; }

    /// <summary>
    /// Whether a server may listen without TLS at a <c>mux</c> address that other machines reach, which is every one that is not of this machine alone. The
    /// server says so in a warning when it starts. Asked of Mux's own transports, and of each connection that comes through an endpoint of ASP.NET Core; what a
    /// transport of others does about encryption is its own affair.
    /// </summary>
    /// <value>False by default: such a server does not start.</value>
    public bool AllowPlaintext { get; set; }

    /// <summary>Who may connect, and what they may call.</summary>
    /// <value>Null by default: nobody is asked, and everybody may call everything. Contracts with <see cref="MuxAuthorizeAttribute"/> need it.</value>
    public MuxIdentityOptions? Identity { get; set; }

    /// <summary>
    /// Connections at a time; further ones are closed when they are accepted. One that is gone counts until its last handler has returned, so that this many
    /// times <see cref="MaxCallsPerConnection"/> bounds the handlers that run. Sockets are files: where the process may open fewer than this, 128 more and,
    /// with TLS, its pending handshakes, the server says so in a warning when it starts and takes as many as fit.
    /// </summary>
    /// <value>1 to 1,000,000; 10,000 by default.</value>
    public int MaxConnections { get; set; } = 10_000;

    /// <summary>Calls a client may have open on one connection, which bounds the handlers running for it. Further calls wait in the client, in order.</summary>
    /// <value>1 to 1,048,575; 4,096 by default, 16,384 with <see cref="MuxProfile.Internal"/>.</value>
    public int MaxCallsPerConnection
    {
        get => _maxCallsPerConnection ?? ProfileDefaults.Of(Profile).MaxCallsPerConnection;
        set => _maxCallsPerConnection = value;
    }

    /// <summary>
    /// What clients may send of what is cheap to send, and what all connections together may hold. Those that are not set are as
    /// <see cref="MuxOptions.Profile"/> says.
    /// </summary>
    public MuxServerLimits Limits { get; } = new();

    /// <summary>Different methods a client may use on one connection.</summary>
    /// <value>1 to 65,535; 4,096 by default.</value>
    public int MaxMethodsPerConnection { get; set; } = 4096;

    /// <summary>Bytes of requests kept on one connection while its client takes too few of the replies; beyond, requests are refused.</summary>
    /// <value>Bytes, 65,536 to 1 GiB; 1 MiB by default.</value>
    public long MaxParkedBytes { get; set; } = 1024 * 1024;

    /// <summary>
    /// Bytes of requests that one connection may have with handlers, from their arrival until they are answered. Above it further requests are kept, up to
    /// <see cref="MaxParkedBytes"/>, and then refused. Requests up to 1 KiB do not count: <see cref="MaxCallsPerConnection"/> bounds them.
    /// </summary>
    /// <value>Bytes, 65,536 to 16 GiB; 64 MiB by default.</value>
    public long MaxRunningBytes { get; set; } = 64 * 1024 * 1024;

    /// <summary>
    /// How long a call may take here, whatever its caller allows: then the token of its handler fires, if it takes one, and the call ends when it returns.
    /// </summary>
    /// <value>1 ms or more, or <see cref="Timeout.InfiniteTimeSpan"/> for no limit, which is the default.</value>
    public TimeSpan MaxCallTimeout { get; set; } = Timeout.InfiniteTimeSpan;

    /// <summary>
    /// Whether callers are told type and text of what handlers throw that is no <see cref="MuxException"/>. It may tell them more than they should know.
    /// </summary>
    /// <value>False by default: the log of the server has it.</value>
    public bool DetailedErrors { get; set; }

    /// <summary>Whether what it receives and sends can be read on a network.</summary>
    internal bool IsPlaintextOnNetwork =>
        Transport is null or SocketTransport or EpollTransport
        && MuxAddress.TryParse(Address, out var address, out _) && address.Scheme == MuxAddress.TcpScheme && !SocketEndPoints.IsLoopback(address);

    internal override MuxPeerLimits PeerLimits => Limits;

    internal override bool ListensNowhere => Address is { Length: 0 };

    /// <inheritdoc/>
    public override IEnumerable<OptionFailure> Validate()
    {
        foreach (var failure in base.Validate()) yield return failure;
        foreach (var failure in ValidateTls(Tls, "missing. A muxs address needs a certificate: set Tls:CertificatePath or Tls:CertificateStore, or " +
            "Tls.Certificate in code."))
        {
            yield return failure;
        }

        foreach (var failure in Identity?.Validate() ?? []) yield return failure with { Option = $"{nameof(Identity)}:{failure.Option}" };
        if (Transport is null && MuxAddress.TryParse(Address, out var address, out _)
            && address.Scheme is MuxAddress.WebSocketScheme or MuxAddress.SecureWebSocketScheme)
            yield return new OptionFailure(nameof(Address), $"'{Address}' cannot be listened at: WebSockets come through ASP.NET Core. Leave the address " +
                $"empty, and call MapMuxWebSocket of Mux.AspNetCore.");
        if (IsPlaintextOnNetwork && !AllowPlaintext)
            yield return new OptionFailure(nameof(AllowPlaintext), $"'{Address}' is reached by other machines, without encryption: listen at a muxs address " +
                $"or on loopback, or set {nameof(AllowPlaintext)} to true in a network that you trust.");
        if (MaxConnections is < 1 or > 1_000_000) yield return OptionFailure.OutOfRange(nameof(MaxConnections), MaxConnections, "1 to 1000000");
        if (MaxCallsPerConnection is < 1 or > CallId.MaxSlot)
        {
            yield return OptionFailure.OutOfRange(nameof(MaxCallsPerConnection), MaxCallsPerConnection, "1 to 1048575");
        }

        if (MaxMethodsPerConnection is < 1 or > ushort.MaxValue)
        {
            yield return OptionFailure.OutOfRange(nameof(MaxMethodsPerConnection), MaxMethodsPerConnection, "1 to 65535");
        }

        if (MaxRunningBytes is < 65_536 or > 16L << 30)
        {
            yield return OptionFailure.OutOfRange(nameof(MaxRunningBytes), MaxRunningBytes, "65536 to 17179869184 bytes");
        }

        if (MaxCallTimeout != Timeout.InfiniteTimeSpan && MaxCallTimeout < TimeSpan.FromMilliseconds(1))
            yield return OptionFailure.OutOfRange(nameof(MaxCallTimeout), MaxCallTimeout, "00:00:00.001 or more, or -00:00:00.001 for no limit");
        if (MaxParkedBytes is < 65_536 or > 1L << 30)
        {
            yield return OptionFailure.OutOfRange(nameof(MaxParkedBytes), MaxParkedBytes, "65536 to 1073741824 bytes");
        }
    }
}
