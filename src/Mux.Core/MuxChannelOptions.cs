using Mux.Calls;
using Mux.Client;
using Mux.Discovery;
using Mux.Identity;
using Mux.Protocol;
using Mux.Services;
using Mux.Transports.Epoll;
using Mux.Transports.Sockets;
using Mux.Transports.Tls;
using Mux.Transports.WebSockets;

namespace Mux;

/// <summary>Options of a <see cref="MuxChannel"/>.</summary>
public sealed class MuxChannelOptions : MuxOptions
{
    /// <summary>Creates options with the defaults of a channel.</summary>
    public MuxChannelOptions()
    {
        KeepAliveTime = TimeSpan.FromSeconds(30);
        DrainTimeout = TimeSpan.FromSeconds(5);
    }

    /// <summary>Gets or sets the name of the channel in logs and metrics.</summary>
    /// <value>Empty by default, which means the name <c>default</c>.</value>
    public string Name { get; set; } = string.Empty;

    /// <summary>
    /// Gets or sets the source that tells which servers the channel has: your own, or that of a package for a discovery system. If it is set, the channel does
    /// not read <see cref="MuxOptions.Address"/>.
    /// </summary>
    /// <remarks>The channel watches the source while it lives. It does not dispose it. Several channels may share a source that allows it.</remarks>
    /// <value>Null by default: the address says which servers there are.</value>
    public IEndpointSource? Endpoints { get; set; }

    /// <summary>Gets or sets the TLS options of <c>muxs</c> addresses.</summary>
    /// <value>Null by default: the server's certificate must match the host of the address and chain to a root that the system trusts. Must be null if no
    /// address can be a <c>muxs</c> address, and if <see cref="MuxOptions.Transport"/> is set.
    /// </value>
    public TlsClientOptions? Tls { get; set; }

    /// <summary>Gets or sets the credentials of the channel, for servers that authenticate clients. Calls wait until the server has accepted them.</summary>
    /// <value>Null by default: the channel connects anonymously. A server with <see cref="MuxServerOptions.Identity"/> rejects such a channel, unless the
    /// server allows anonymous clients or accepts the identity that the transport reports.</value>
    public MuxCredentials? Credentials { get; set; }

    /// <summary>
    /// Gets or sets a value indicating whether <see cref="Credentials"/> may be presented to another machine without TLS, at a <c>mux</c> or <c>mux+ws</c>
    /// address. Loopback, Unix domain sockets and named pipes need no permission. A host name counts as another machine unless it is <c>localhost</c>.
    /// </summary>
    /// <remarks>
    /// With your own <see cref="MuxOptions.Transport"/>, Mux cannot know whether a <c>muxs</c> address means TLS. It then ignores the scheme and decides by the
    /// address that the link reports. A link with a <see cref="Transports.Link.ChannelBinding"/> counts as encrypted. A loopback address counts as this
    /// machine, every other IP address as another machine. An empty address or a name counts as another machine, unless the channel's address is loopback, a
    /// Unix domain socket or a named pipe.
    /// </remarks>
    /// <value>False by default: calls fail with <see cref="MuxStatus.Unauthenticated"/>, not executed, and nothing is sent.</value>
    public bool AllowPlaintext { get; set; }

    /// <summary>
    /// Gets or sets a value indicating whether a channel with <see cref="Credentials"/> rejects a server that does not ask for them, because an impostor would
    /// not ask. Set it to false in two cases: for servers that know their clients by other means (<see cref="MuxIdentityOptions.TrustTransport"/>), and during
    /// a migration, until all servers ask for credentials.
    /// </summary>
    /// <value>True by default: calls to such a server fail with <see cref="MuxStatus.Unauthenticated"/>, not executed. Has no effect without
    /// credentials.</value>
    public bool RequireChallenge { get; set; } = true;

    /// <summary>Gets or sets a value that says if calls share connections, or each has one of its own, which the server ends after the call.</summary>
    /// <remarks>
    /// <para>With <see cref="MuxConnectionLifetime.PerCall"/> the channel has one server and at most <see cref="MaxConnections"/> connections, which is also
    /// the number of calls that are open at the same time. Further calls wait in order, up to <see cref="MaxQueuedBytes"/>, until a connection is closed.
    /// Time limits of calls include the wait, the dial and the handshake. <see cref="MinConnections"/> must be 1, and the channel never opens a connection
    /// before a call needs it: <see cref="MuxChannel.ConnectAsync(CancellationToken)"/> and <see cref="WarmUpTime"/> open one to see that the server takes
    /// calls, and let the server end it.</para>
    /// <para>A server that does not end the connection within 1 s after its call is left: the channel ends the connection itself.</para>
    /// </remarks>
    /// <value><see cref="MuxConnectionLifetime.Shared"/> by default.</value>
    public MuxConnectionLifetime Lifetime { get; set; }

    /// <summary>
    /// Minimum number of connections to each endpoint. One connection carries thousands of concurrent calls. With more connections, both sides can use more
    /// cores.
    /// </summary>
    /// <value>1 to 1,024; 1 by default.</value>
    public int MinConnections { get; set; } = 1;

    /// <summary>
    /// Gets or sets the maximum number of connections to each endpoint. The channel opens more than <see cref="MinConnections"/>, one after the other, while
    /// those that it has are too few.
    /// </summary>
    /// <remarks>
    /// <para>The channel looks at its connections every 100 ms while they are used. It opens one more at once when calls wait because the server allows no more
    /// open calls on each connection, or a side no more streams (<see cref="MuxOptions.MaxStreamBytes"/>), and otherwise after three looks in a row that find
    /// one of these: a call waits to be sent longer than 1 ms and the round trip, the operating system accepts no bytes more than half of the time, or threads
    /// meet each other at a connection more than 20 % of the time.</para>
    /// <para>If the channel then does less than 5 % more within 1 s, the new connection drains, and the channel waits 2 s before it tries again, twice as long
    /// after each further attempt without gain, up to 17 minutes. A connection that was not needed for 60 s drains too. No call is lost by this.</para>
    /// </remarks>
    /// <value><see cref="MinConnections"/> to 1,024. Null by default: the number of processors, at most 4, or <see cref="MinConnections"/> if that is larger.
    /// Set it to <see cref="MinConnections"/> for a fixed number of connections. With <see cref="MuxConnectionLifetime.PerCall"/>: 1 to 1,024, 64 by
    /// default. With a service (<see cref="AddService"/>): <see cref="MinConnections"/>, because the server may hold on to each connection.</value>
    public int? MaxConnections { get; set; }

    /// <summary>
    /// Gets or sets a value indicating whether the channel keeps a connection open without calls: it connects when it is created, again after a loss without
    /// waiting for a call, and sees by keep-alive PINGs that the server is there. Set it where the server calls this client.
    /// </summary>
    /// <remarks>
    /// One connection is kept, however many the channel has, to one server, however many there are. When that connection drains or is lost, another open one
    /// takes its place at once, or the next that opens. The pauses between attempts to connect are those of <see cref="MaxReconnectDelay"/>. The connection is
    /// neither idle for <see cref="MuxOptions.IdleTimeout"/>, nor closed as one that is not needed (<see cref="MaxConnections"/>) or that is not in the part of
    /// many servers (<see cref="MuxBalancing.SubsetSize"/>).
    /// </remarks>
    /// <value>False by default: the channel connects at the first call. Not allowed with <see cref="MuxConnectionLifetime.PerCall"/>.</value>
    public bool KeepConnected { get; set; }

    /// <summary>
    /// Gets or sets code that runs on the kept connection each time that there is a new one (<see cref="KeepConnected"/>): it tells the server who is there,
    /// such as <c>(peer, ct) => peer.Get&lt;IChat&gt;().Join("ann", ct)</c>. Without <see cref="KeepConnected"/>, it runs when a call has connected.
    /// </summary>
    /// <remarks>
    /// <para>It gets the server as a peer, and <see cref="MuxPeer.Closed"/> as its token. It runs on a thread of the .NET pool, while other calls may use the
    /// connection, and never twice at the same time for one connection.</para>
    /// <para>If it throws, the channel logs the warning <c>OnOpenedFailed</c> (2017), once a minute, drains the connection, and connects again after a pause
    /// that grows as if the connection had failed. An exception after the end of the connection is ignored.</para>
    /// </remarks>
    /// <value>Null by default. Not allowed with <see cref="MuxConnectionLifetime.PerCall"/>.</value>
    public Func<MuxPeer, CancellationToken, ValueTask>? OnOpened { get; set; }

    /// <summary>
    /// Gets or sets the maximum number of calls that a server may have open on one connection of this channel, if it serves something
    /// (<see cref="AddService"/>). Further calls of the server wait there. All connections of the channel together run at most 1,000 handlers.
    /// </summary>
    /// <value>1 to 1,048,575; 64 by default. A channel without services announces 0.</value>
    public int MaxCallsPerConnection { get; set; } = 64;

    /// <summary>
    /// Gets or sets a value indicating whether the handlers of <see cref="AddService"/> have a <see cref="MuxCallContext"/>, as
    /// <see cref="MuxServerOptions.EnableCallContext"/> does for those of a server.
    /// </summary>
    /// <value>False by default.</value>
    public bool EnableCallContext { get; set; }

    /// <summary>
    /// Gets or sets the time limit of calls that have none in their options or their contract. It does not end streams, in either direction: a stream is open
    /// as long as its contract (<see cref="MuxChoicesAttribute.TimeoutMilliseconds"/>) or the options of its call allow, without a limit if they say nothing.
    /// </summary>
    /// <value>1 ms or more, or <see cref="Timeout.InfiniteTimeSpan"/> for no time limit, which is the default. Keep-alive then detects a dead peer.</value>
    public TimeSpan CallTimeout { get; set; } = Timeout.InfiniteTimeSpan;

    /// <summary>
    /// Gets or sets a value indicating whether a call that a handler of this process makes on this channel must also end by the deadline of the call that is
    /// being handled. If this is true for any channel of the process, each received call with a deadline allocates about 120 bytes to carry the deadline
    /// through the awaits of its handler. <see cref="MuxCallOptions.InheritsDeadline"/> turns this off for one call.
    /// </summary>
    /// <value>True by default.</value>
    public bool InheritDeadlines { get; set; } = true;

    /// <summary>
    /// Maximum number of bytes of calls that wait on one connection: for the connection to open, for the peer to allow another open call, or for unsent bytes
    /// to be sent. Each call counts its request and 256 bytes. Further calls fail with <see cref="MuxStatus.ResourceExhausted"/>, not executed.
    /// </summary>
    /// <remarks>
    /// <para>Nothing of it is reserved. What is sent before a peer has read it is bounded apart, by <see cref="MuxOptions.MaxUnsentBytes"/>.</para>
    /// <para>The channel keeps as many bytes of requests above 16 KiB until their outcome, to send them again if a server has no memory for them, and of those
    /// that <see cref="Resilience"/> may send again. Requests that wait are held once. Calls beyond it are made, and not sent again.</para>
    /// </remarks>
    /// <value>Bytes, 65,536 to 4 GiB. By default an eighth of the memory that the process may use, at least 32 and at most 256 MiB: a burst of 1,000 requests
    /// of 100 KB waits, and so do some 100,000 small calls.</value>
    public long MaxQueuedBytes { get; set; } = EffectiveLimits.QueuedBytesOfProcess;

    /// <summary>Longest pause between two attempts to connect. Calls made during a pause wait for the next attempt.</summary>
    /// <remarks>
    /// <para>All connections of the channel share one pause. It is random: up to 100 ms at first, then up to 1/32 of the time for which the server has been
    /// unreachable: 156 ms after 5 s, 1 s after 32 s. After a connection that received a reply or was open for 1 s, the pauses start again at up to 100
    /// ms.</para>
    /// <para>All servers of a channel that cannot be reached are dialed about 67 times a second together. So the longest pause of each of n servers is n times
    /// 20 ms if that is longer: 1 s for 50, 20 s for 1,000. Servers that were open within the last 10 minutes count apart from the others: one that restarts is
    /// found as soon as if the others were not there.</para>
    /// <para>While a server refuses connections that were open, because its
    /// <see cref="IMuxPeerEvents.OnConnectedAsync"/> throws, the pauses grow up to 5 s, also if this value is less.</para>
    /// <para>If a server says how long to wait, the channel does not connect earlier. For this reason it waits at most 30 s, or this value if that is
    /// longer.</para>
    /// </remarks>
    /// <value>10 ms to 10 minutes; 1 s by default.</value>
    public TimeSpan MaxReconnectDelay { get; set; } = TimeSpan.FromSeconds(1);

    /// <summary>
    /// Gets or sets the time for which the start of a generic host waits for the connections of the channel and for the end of its first
    /// <see cref="OnOpened"/>, so that its first calls do not. The channel tries
    /// again until the time is over. Only for clients of a host: elsewhere call <see cref="MuxChannel.ConnectAsync(CancellationToken)"/>.
    /// </summary>
    /// <value>10 ms to 10 minutes, or 0, the default: the channel connects at the first call.</value>
    public TimeSpan WarmUpTime { get; set; }

    /// <summary>
    /// Gets or sets a value indicating whether the host fails to start if the channel has not connected within <see cref="WarmUpTime"/>.
    /// </summary>
    /// <value>False by default: the host logs the warning <c>ClientNotConnected</c> and starts, and calls connect.</value>
    public bool RequireWarmUp { get; set; }

    /// <summary>Gets the options for the choice between several endpoints.</summary>
    public MuxBalancing Balancing { get; } = new();

    /// <summary>
    /// Gets the limits for the traffic of the server. A limit that is not set has the value of <see cref="MuxOptions.Profile"/>.
    /// </summary>
    public MuxPeerLimits Limits { get; } = new();

    /// <summary>
    /// Gets the options that decide which failed calls the channel sends again, and which calls it sends a second time while they take long. By default neither
    /// happens.
    /// </summary>
    public MuxResilience Resilience { get; } = new();

    /// <summary>What servers may call.</summary>
    internal ServiceSet Services { get; } = new();

    /// <summary>True if servers may learn of this client, and it of them: then it wants to know who they are.</summary>
    internal bool HasPeers => Services.Methods.Count > 0 || OnOpened is not null;

    /// <summary>Makes pauses and choices repeat themselves, for simulations on one thread; null otherwise.</summary>
    internal int? Seed { get; init; }

    /// <summary>
    /// Serves a contract to the servers of the channel, with one instance, which is called concurrently. A server calls it by <see cref="MuxPeer.Get"/>.
    /// </summary>
    /// <returns>These options.</returns>
    /// <inheritdoc cref="AddServiceFrom"/>
    public MuxChannelOptions AddService<TService>(TService implementation)
        where TService : class
    {
        ArgumentNullException.ThrowIfNull(implementation);
        return AddServiceFrom(new SingletonSource<TService>(implementation));
    }

    /// <summary>Serves a contract to the servers of the channel, with instances from a source.</summary>
    /// <remarks>
    /// Methods with <see cref="MuxAuthorizeAttribute"/> are open only to a server whose certificate was verified: others fail with
    /// <see cref="MuxStatus.Unauthenticated"/>, not executed. So a channel that serves such a method is not created with an address of another machine that is
    /// not encrypted.
    /// </remarks>
    /// <typeparam name="TService">An interface with <see cref="MuxServiceAttribute"/>.</typeparam>
    /// <returns>These options.</returns>
    /// <exception cref="InvalidOperationException">The interface is not a contract; a service with this wire name was added before; the implementation has
    /// authorization attributes, which belong on the contract; or attributes of either cannot be read.</exception>
    public MuxChannelOptions AddServiceFrom<TService>(ServiceSource<TService> source)
        where TService : class
    {
        ArgumentNullException.ThrowIfNull(source);
        Services.Add(source);
        return this;
    }

    internal override MuxPeerLimits PeerLimits => Limits;

    private protected override string? AddressError =>
        Endpoints is not null ? null : EndpointTarget.TryParse(Address, out var target, out var error) ? target.MissingPackage : error;

    private protected override bool IsTls => Endpoints is not null || (EndpointTarget.TryParse(Address, out var target, out _) && target.IsTls);

    /// <inheritdoc/>
    public override IEnumerable<OptionFailure> Validate()
    {
        foreach (var failure in base.Validate()) yield return failure;
        foreach (var failure in ValidateTls(Tls, required: null)) yield return failure;
        if (Endpoints is null && MuxAddress.TryParse(Address, out var address, out _)
            && address is { Scheme: MuxAddress.TcpScheme or MuxAddress.TlsScheme, Port: 0 })
            yield return OptionFailure.OutOfRange(nameof(Address), Address, "a port from 1 to 65535; only a server may have port 0");
        if (Credentials is not null && !MuxIdentityOptions.IsScheme(Credentials.Scheme))
            yield return new OptionFailure(nameof(Credentials), $"'{Credentials.Scheme}' is not a scheme: expected 1 to 64 of a-z, 0-9, '-' and '.'.");
        if (Name is null) yield return new OptionFailure(nameof(Name), "null is not allowed: expected a text, which may be empty.");
        if (MinConnections is < 1 or > 1024) yield return OptionFailure.OutOfRange(nameof(MinConnections), MinConnections, "1 to 1024");
        if (MaxConnections is { } most && (most < MinConnections || most > 1024))
        {
            yield return OptionFailure.OutOfRange(nameof(MaxConnections), most, $"{nameof(MinConnections)} ({MinConnections}) to 1024");
        }

        foreach (var failure in ValidateLifetime()) yield return failure;
        if (MaxCallsPerConnection is < 1 or > CallId.MaxSlot)
        {
            yield return OptionFailure.OutOfRange(nameof(MaxCallsPerConnection), MaxCallsPerConnection, "1 to 1048575");
        }

        foreach (var failure in ValidateServices()) yield return failure;
        if (CallTimeout != Timeout.InfiniteTimeSpan && CallTimeout < TimeSpan.FromMilliseconds(1))
            yield return OptionFailure.OutOfRange(nameof(CallTimeout), CallTimeout, "00:00:00.001 or more, or -00:00:00.001 for no limit");
        if (MaxQueuedBytes is < 65_536 or > 4L << 30)
        {
            yield return OptionFailure.OutOfRange(nameof(MaxQueuedBytes), MaxQueuedBytes, "65536 to 4294967296 bytes");
        }

        if (WarmUpTime != TimeSpan.Zero && !IsBetween(WarmUpTime, TimeSpan.FromMinutes(10)))
        {
            yield return OptionFailure.OutOfRange(nameof(WarmUpTime), WarmUpTime, "00:00:00.010 to 00:10:00, or 00:00:00 for none");
        }

        if (RequireWarmUp && WarmUpTime == TimeSpan.Zero)
            yield return new OptionFailure(nameof(RequireWarmUp), $"it has no effect, because {nameof(WarmUpTime)} is 0. Set both, or none.");
        foreach (var failure in Resilience.Validate())
            yield return failure with { Option = $"{nameof(Resilience)}:{failure.Option}" };
        if (!IsBetween(MaxReconnectDelay, TimeSpan.FromMinutes(10)))
        {
            yield return OptionFailure.OutOfRange(nameof(MaxReconnectDelay), MaxReconnectDelay, "00:00:00.010 to 00:10:00");
        }

        foreach (var failure in Balancing.Validate()) yield return failure with { Option = $"{nameof(Balancing)}:{failure.Option}" };
    }

    /// <summary>True if the address says that servers on other machines are reached without encryption.</summary>
    private bool IsPlaintextOnNetwork => Endpoints is null && Transport is null or SocketTransport or EpollTransport or WebSocketTransport
        && EndpointTarget.TryParse(Address, out var target, out _) && target.IsPlaintextOnNetwork;

    private IEnumerable<OptionFailure> ValidateServices()
    {
        foreach (var method in Services.Methods)
        {
            if (method.Authorization is not { RequiresUser: true } rule) continue;
            if (rule.AllowsAnonymous)
                yield return new OptionFailure(nameof(AddService), $"{method} has both [MuxAuthorize] and [MuxAllowAnonymous]: remove one of them.");
            if (rule.Policies.Count + rule.Roles.Count > 0)
            {
                yield return new OptionFailure(nameof(AddService), $"{method} requires a policy or a role, which the certificate of a server does not have. " +
                    "What a client serves can have [MuxAuthorize] alone: then the certificate must be verified.");
            }

            if (!IsPlaintextOnNetwork) continue;
            yield return new OptionFailure(nameof(AddService), $"{method} has [MuxAuthorize], which only a server with a verified certificate may call, and " +
                $"the channel would reach another machine at '{Address}' without encryption. Use a muxs address, or remove the attribute.");
            yield break;
        }
    }

    private IEnumerable<OptionFailure> ValidateLifetime()
    {
        if (!Enum.IsDefined(Lifetime)) yield return OptionFailure.OutOfRange(nameof(Lifetime), Lifetime, "Shared or PerCall");
        if (Lifetime != MuxConnectionLifetime.PerCall) yield break;
        if (KeepConnected || HasPeers)
        {
            var option = KeepConnected ? nameof(KeepConnected) : OnOpened is not null ? nameof(OnOpened) : nameof(AddService);
            yield return new OptionFailure(option, $"it has no effect with {nameof(Lifetime)} PerCall, whose connections end with their calls. Set " +
                $"{nameof(Lifetime)} to Shared.");
        }

        if (MinConnections > 1)
        {
            yield return new OptionFailure(nameof(MinConnections),
                $"{MinConnections} has no effect with {nameof(Lifetime)} PerCall, which keeps no connection open. Leave it at 1, or set " +
                $"{nameof(Lifetime)} to Shared.");
        }

        if (Endpoints is not null || (EndpointTarget.TryParse(Address, out var target, out _) && target.Single is null))
        {
            yield return new OptionFailure(nameof(Lifetime),
                "PerCall needs an address of one server: a choice between several is by their open connections. Name one server, which may be a balancer, or " +
                "set Shared.");
        }
    }
}
