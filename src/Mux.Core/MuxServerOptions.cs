using Mux.Identity;
using Mux.Protocol;
using Mux.Runtime;
using Mux.Transports.Epoll;
using Mux.Transports.Sockets;
using Mux.Transports.Tls;

namespace Mux;

/// <summary>Options of a <see cref="MuxServer"/>.</summary>
public sealed class MuxServerOptions : MuxOptions
{
    private int? _maxCallsPerConnection;

    /// <summary>Creates options with the defaults of a server.</summary>
    public MuxServerOptions()
    {
        KeepAliveTime = TimeSpan.FromMinutes(2);
        DrainTimeout = TimeSpan.FromSeconds(20);
    }

    /// <summary>Gets or sets the TLS options of a <c>muxs</c> address, which requires at least a certificate.</summary>
    /// <value>Null by default. Must be null for other addresses, and if <see cref="MuxOptions.Transport"/> is set.</value>
    public TlsServerOptions? Tls { get; set; }

    /// <summary>
    /// Gets or sets a value indicating whether the server may listen without TLS at a <c>mux</c> address that other machines can reach, that is, any address
    /// except loopback. The server then logs a warning when it starts. Applies to Mux's own transports, and to each connection of an ASP.NET Core endpoint.
    /// Other transports are responsible for their own encryption.
    /// </summary>
    /// <value>False by default: a server at such an address does not start.</value>
    public bool AllowPlaintext { get; set; }

    /// <summary>Gets or sets how clients are authenticated, and which methods they may call.</summary>
    /// <value>Null by default: no client is authenticated, and every client may call every method. Contracts with <see cref="MuxAuthorizeAttribute"/> require
    /// it.</value>
    public MuxIdentityOptions? Identity { get; set; }

    /// <summary>Maximum number of open connections. Further connections are closed as soon as they are accepted.</summary>
    /// <remarks>
    /// <para>A closed connection counts until its last handler has returned, so that this value times <see cref="MaxCallsPerConnection"/> bounds the number of
    /// running handlers.</para>
    /// <para>The process needs one open file for each connection, one for each pending TLS handshake, and 128 more. If it cannot open that many, the server
    /// accepts as many connections as possible and logs a warning when it starts.</para>
    /// </remarks>
    /// <value>1 to 1,000,000; 10,000 by default.</value>
    public int MaxConnections { get; set; } = 10_000;

    /// <summary>
    /// Maximum number of calls that a client may have open on one connection. It also bounds the number of handlers that run for the connection. Further calls
    /// wait in the client, in order.
    /// </summary>
    /// <value>1 to 1,048,575; 4,096 by default, 16,384 with <see cref="MuxProfile.Internal"/>.</value>
    public int MaxCallsPerConnection
    {
        get => _maxCallsPerConnection ?? ProfileDefaults.Of(Profile).MaxCallsPerConnection;
        set => _maxCallsPerConnection = value;
    }

    /// <summary>
    /// Gets the limits for the traffic of each client, and for the memory of all connections together. A limit that is not set has the value of
    /// <see cref="MuxOptions.Profile"/>.
    /// </summary>
    public MuxServerLimits Limits { get; } = new();

    /// <summary>Maximum number of different methods that a client may use on one connection.</summary>
    /// <value>1 to 65,535; 4,096 by default.</value>
    public int MaxMethodsPerConnection { get; set; } = 4096;

    /// <summary>
    /// Maximum number of bytes of requests that wait on one connection for handlers
    /// (<see cref="MuxServerLimits.MaxHandlers"/>), because its replies are not sent yet, or because of
    /// <see cref="MaxRunningBytes"/>. Further requests fail with <see cref="MuxStatus.ResourceExhausted"/>, not executed.
    /// </summary>
    /// <remarks>
    /// Channels send refused requests above 16 KiB again. Smaller ones may wait in as much more memory as running requests leave of
    /// <see cref="MaxRunningBytes"/>, while the server holds less than half of <see cref="MuxServerLimits.MaxHeldBytes"/>.
    /// </remarks>
    /// <value>Bytes, 65,536 to 1 GiB; 1 MiB by default.</value>
    public long MaxParkedBytes { get; set; } = 1024 * 1024;

    /// <summary>
    /// Maximum number of bytes of requests that one connection may have in handlers, from the arrival of a request to its answer. Further requests wait, up to
    /// <see cref="MaxParkedBytes"/>. Requests up to 1 KiB do not count: <see cref="MaxCallsPerConnection"/> bounds them.
    /// </summary>
    /// <value>Bytes, 65,536 to 16 GiB; 64 MiB by default.</value>
    public long MaxRunningBytes { get; set; } = 64 * 1024 * 1024;

    /// <summary>
    /// Maximum time of a call at this server, even if the caller allows more. After this time, the cancellation token of the handler is cancelled, if the
    /// method has one. The call ends when the handler returns.
    /// </summary>
    /// <value>1 ms or more, or <see cref="Timeout.InfiniteTimeSpan"/> for no limit, which is the default.</value>
    public TimeSpan MaxCallTimeout { get; set; } = Timeout.InfiniteTimeSpan;

    /// <summary>
    /// Time that requests may wait for a thread of the server. If all requests have waited longer for 100 ms, the server is overloaded: it refuses a part of
    /// the calls, so that the others are served in time.
    /// </summary>
    /// <remarks>
    /// <para>The refused calls fail before anything of them is decoded, with <see cref="MuxStatus.ResourceExhausted"/>, not executed, and a
    /// <see cref="MuxFailure.RetryAfter"/> of two to three times the time that requests wait, at least 20 ms. Calls of <see cref="MuxCallPriority.Low"/> are
    /// refused first, those of <see cref="MuxCallPriority.High"/> last. Of one priority, all calls of a trace are taken or refused together.</para>
    /// <para>Measured are requests that wait for a worker, and the rounds of the loops that receive on Linux. Handlers
    /// that only await something else occupy no worker, and neither do those of <see cref="MuxDispatchMode.Pool"/>:
    /// <see cref="MuxServerLimits.MaxHandlers"/> bounds both, and the time that small requests wait for that is not
    /// measured here.</para>
    /// <para>Set it where callers have deadlines of less than a second or so. Without it, a server to which more calls come than it can serve answers all of
    /// them too late. Callers that are happy to wait lose by it: if a few of them always have more calls open than the server has threads, its queue is never
    /// empty, and a part of their calls is refused although all of them would be served.</para>
    /// </remarks>
    /// <value>1 ms or more, or <see cref="Timeout.InfiniteTimeSpan"/> for no limit, which is the default. 5 ms suits most servers.</value>
    public TimeSpan MaxQueueTime { get; set; } = Timeout.InfiniteTimeSpan;

    /// <summary>
    /// Gets or sets the age at which the server drains a connection, give or take a tenth: its calls finish, and the client connects again. Behind a load
    /// balancer that distributes connections, clients find new servers in this way.
    /// </summary>
    /// <value>10 ms to 24 days, or <see cref="Timeout.InfiniteTimeSpan"/> for no limit, which is the default. A call that is open then may take as long as
    /// before.</value>
    public TimeSpan MaxConnectionAge { get; set; } = Timeout.InfiniteTimeSpan;

    /// <summary>
    /// Time for which a server that is told to stop still listens and serves, before it drains. Set it where clients learn late that the server leaves: load
    /// balancers and the routes of a cluster follow a failed health check or a withdrawn registration only after some time, and connect until then.
    /// </summary>
    /// <remarks>
    /// From the start of this time, <see cref="MuxServer.State"/> is <see cref="MuxServerState.Draining"/>, and health checks fail. In a host, the time starts
    /// when the registrations of the server are withdrawn, and the endpoints of ASP.NET Core serve as long. The sum of this time and
    /// <see cref="MuxOptions.DrainTimeout"/> must be below the host's <c>ShutdownTimeout</c>.
    /// </remarks>
    /// <value>0 to 10 minutes; 0 by default.</value>
    public TimeSpan StopDelay { get; set; } = TimeSpan.Zero;

    /// <summary>
    /// Gets or sets a value indicating whether callers get the type and message of an exception that is not a <see cref="MuxException"/>. The message of an
    /// exception may contain internal details that callers must not see.
    /// </summary>
    /// <value>False by default: only the log of the server contains them.</value>
    public bool DetailedErrors { get; set; }

    /// <summary>
    /// Gets or sets a value indicating whether handlers have a <see cref="MuxCallContext"/>. Each call then costs some allocations, and metadata is kept for
    /// all methods, not only for those with a <see cref="MuxCallOptions"/> parameter.
    /// </summary>
    /// <value>False by default. <c>AddMuxServer().AddCallContext()</c> sets it.</value>
    public bool EnableCallContext { get; set; }

    /// <summary>
    /// Gets or sets a value indicating whether the server says whether it serves, by the service <c>grpc.health.v1.Health</c>. Every client that may connect
    /// may ask. A service of this name that was added takes its place.
    /// </summary>
    /// <value>True by default.</value>
    public bool EnableHealth { get; set; } = true;

    /// <summary>True if a network can carry the traffic without encryption.</summary>
    internal bool IsPlaintextOnNetwork =>
        Transport is null or SocketTransport or EpollTransport
        && MuxAddress.TryParse(Address, out var address, out _) && address.Scheme == MuxAddress.TcpScheme && !SocketEndPoints.IsLoopback(address);

    internal override MuxPeerLimits PeerLimits => Limits;

    /// <summary>What is wrong with TLS options of a server without an address.</summary>
    internal const string TlsWithoutAddress =
        "it has no effect, because no address is set: Kestrel provides the TLS of endpoints of ASP.NET Core (UseMuxHttps). Remove Tls, or set a muxs address.";

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
            yield return new OptionFailure(nameof(Address), $"a server cannot listen at '{Address}': WebSockets come through ASP.NET Core. Leave the address " +
                "empty, and call MapMuxWebSocket of Mux.AspNetCore.");
        if (MuxAddress.TryParse(Address, out var own, out _) && own.ServerName is not null)
            yield return new OptionFailure(nameof(Address), $"'{Address}' has a server name, which only a client reads: the certificate in Tls has the names " +
                "of a server.");
        if (IsPlaintextOnNetwork && !AllowPlaintext)
            yield return new OptionFailure(nameof(AllowPlaintext), $"other machines can reach '{Address}' without encryption: listen at a muxs address " +
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

        if (!IsBetweenOrInfinite(MaxConnectionAge)) yield return OptionFailure.OutOfRange(nameof(MaxConnectionAge), MaxConnectionAge, InfiniteRange);
        if (MaxCallTimeout != Timeout.InfiniteTimeSpan && MaxCallTimeout < TimeSpan.FromMilliseconds(1))
            yield return OptionFailure.OutOfRange(nameof(MaxCallTimeout), MaxCallTimeout, "00:00:00.001 or more, or -00:00:00.001 for no limit");
        if (MaxQueueTime != Timeout.InfiniteTimeSpan && MaxQueueTime < TimeSpan.FromMilliseconds(1))
            yield return OptionFailure.OutOfRange(nameof(MaxQueueTime), MaxQueueTime, "00:00:00.001 or more, or -00:00:00.001 for no limit");
        if (StopDelay < TimeSpan.Zero || StopDelay > TimeSpan.FromMinutes(10))
        {
            yield return OptionFailure.OutOfRange(nameof(StopDelay), StopDelay, "00:00:00 to 00:10:00");
        }

        if (MaxParkedBytes is < 65_536 or > 1L << 30)
        {
            yield return OptionFailure.OutOfRange(nameof(MaxParkedBytes), MaxParkedBytes, "65536 to 1073741824 bytes");
        }
    }
}
