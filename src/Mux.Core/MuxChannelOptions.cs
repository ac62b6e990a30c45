using Mux.Identity;
using Mux.Transports.Tls;

namespace Mux;

/// <summary>How a channel connects and calls.</summary>
public sealed class MuxChannelOptions : MuxOptions
{
    /// <summary>Creates options with the defaults of a channel.</summary>
    public MuxChannelOptions()
    {
        KeepAliveTime = TimeSpan.FromSeconds(30);
        DrainTimeout = TimeSpan.FromSeconds(5);
    }

    /// <summary>The channel's name in logs and metrics.</summary>
    /// <value>Empty by default.</value>
    public string Name { get; set; } = string.Empty;

    /// <summary>How a <c>muxs</c> address speaks TLS.</summary>
    /// <value>
    /// Null by default: the server's certificate has to be for the host of the address and to lead to a root that the system trusts. Set only with such an
    /// address, and without <see cref="MuxOptions.Transport"/>.
    /// </value>
    public TlsClientOptions? Tls { get; set; }

    /// <summary>Who the channel is, for servers that ask. Calls wait until the server has taken it.</summary>
    /// <value>Null by default: the channel says that it is nobody in particular, which few servers take that ask.</value>
    public MuxCredentials? Credentials { get; set; }

    /// <summary>
    /// Whether <see cref="Credentials"/> are shown to another machine without TLS, at a <c>mux</c> or <c>mux+ws</c> address. Loopback, Unix domain sockets and
    /// named pipes need no permission. A name counts as another machine unless it is <c>localhost</c>. Of a <see cref="MuxOptions.Transport"/> that is not
    /// Mux's own, the address counts that its links report, where one that is no IP address is another machine unless the channel's own is loopback and an
    /// empty one is this machine, and a link with a <see cref="Transports.Link.ChannelBinding"/> is encrypted.
    /// </summary>
    /// <value>False by default: calls fail with <see cref="MuxStatus.Unauthenticated"/>, not executed, and nothing is sent.</value>
    public bool AllowPlaintext { get; set; }

    /// <summary>
    /// Whether a channel with <see cref="Credentials"/> refuses a server that does not ask for them. An impostor does not ask. False is for servers that know
    /// their clients by other means (<see cref="MuxIdentityOptions.TrustTransport"/>), and for the time until a server asks.
    /// </summary>
    /// <value>True by default: calls fail with <see cref="MuxStatus.Unauthenticated"/>, not executed. Without credentials nothing is required.</value>
    public bool RequireChallenge { get; set; } = true;

    /// <summary>Connections to the endpoint. One carries thousands of concurrent calls; a few use more cores at both ends.</summary>
    /// <value>1 to 1,024; 1 by default.</value>
    public int MinConnections { get; set; } = 1;

    /// <summary>How long a call may take if neither its options nor its method say.</summary>
    /// <value>1 ms or more, or <see cref="Timeout.InfiniteTimeSpan"/> for no deadline, which is the default: keep-alive bounds the silence of a dead
    /// peer.</value>
    public TimeSpan CallTimeout { get; set; } = Timeout.InfiniteTimeSpan;

    /// <summary>
    /// Whether calls that are made while a handler of this process runs end no later than the call that it handles. Where any channel of a process does so, its
    /// handlers of calls with a deadline carry it through their awaits, which allocates some 120 bytes for each such call.
    /// <see cref="MuxCallOptions.InheritsDeadline"/> decides it for single calls.
    /// </summary>
    /// <value>True by default.</value>
    public bool InheritDeadlines { get; set; } = true;

    /// <summary>
    /// Bytes with which calls may wait on one connection: until it is open, until the peer's limit of open calls allows, until bytes go out. Each call is
    /// charged its request and 256 bytes. Beyond, calls fail with <see cref="MuxStatus.ResourceExhausted"/>, not executed.
    /// </summary>
    /// <value>Bytes, 65,536 to 4 GiB; 32 MiB by default, which is some 100,000 small calls.</value>
    public long MaxQueuedBytes { get; set; } = 32 * 1024 * 1024;

    /// <summary>
    /// The longest pause between two attempts to connect. All connections of the channel share one: up to 100 ms at first, then up to 1/32 of the time that the
    /// server has been away, which is 156 ms after 5 s and 1 s after 32 s. Pauses are random within that, and start anew after a connection that brought a
    /// reply or was open for 1 s. Calls made meanwhile wait for the next attempt. A server that says when to come back is not dialed before, for at most 30 s,
    /// or for this time if it is longer.
    /// </summary>
    /// <value>10 ms to 10 minutes; 1 s by default.</value>
    public TimeSpan MaxReconnectDelay { get; set; } = TimeSpan.FromSeconds(1);

    /// <summary>What a server may send of what is cheap to send. Those that are not set are as <see cref="MuxOptions.Profile"/> says.</summary>
    public MuxPeerLimits Limits { get; } = new();

    internal override MuxPeerLimits PeerLimits => Limits;

    /// <inheritdoc/>
    public override IEnumerable<OptionFailure> Validate()
    {
        foreach (var failure in base.Validate()) yield return failure;
        foreach (var failure in ValidateTls(Tls, required: null)) yield return failure;
        if (MuxAddress.TryParse(Address, out var address, out _) && address is { Scheme: MuxAddress.TcpScheme or MuxAddress.TlsScheme, Port: 0 })
            yield return OptionFailure.OutOfRange(nameof(Address), Address, "a port from 1 to 65535; only a server may ask for port 0");
        if (Credentials is not null && !MuxIdentityOptions.IsScheme(Credentials.Scheme))
            yield return new OptionFailure(nameof(Credentials), $"'{Credentials.Scheme}' is no scheme: 1 to 64 of the characters a-z, 0-9, '-' and '.' are.");
        if (Name is null) yield return new OptionFailure(nameof(Name), "It is null.");
        if (MinConnections is < 1 or > 1024) yield return OptionFailure.OutOfRange(nameof(MinConnections), MinConnections, "1 to 1024");
        if (CallTimeout != Timeout.InfiniteTimeSpan && CallTimeout < TimeSpan.FromMilliseconds(1))
            yield return OptionFailure.OutOfRange(nameof(CallTimeout), CallTimeout, "00:00:00.001 or more, or -00:00:00.001 for none");
        if (MaxQueuedBytes is < 65_536 or > 4L << 30)
        {
            yield return OptionFailure.OutOfRange(nameof(MaxQueuedBytes), MaxQueuedBytes, "65536 to 4294967296 bytes");
        }

        if (!IsBetween(MaxReconnectDelay, TimeSpan.FromMinutes(10)))
        {
            yield return OptionFailure.OutOfRange(nameof(MaxReconnectDelay), MaxReconnectDelay, "00:00:00.010 to 00:10:00");
        }
    }
}
