using System.Diagnostics.Metrics;
using Mux.Filters;
using Mux.Transports;
using Mux.Transports.Epoll;
using Mux.Transports.Sockets;
using Mux.Transports.Streams;
using Mux.Transports.Tls;

namespace Mux;

/// <summary>Options of channels and servers. Read when a channel is created or a server is started; later changes have no effect.</summary>
public abstract class MuxOptions
{
    private int? _maxMessageBytes;
    private int? _maxMetadataBytes;
    private long? _maxReassemblyBytes;
    private long? _maxUnsentBytes;

    private protected MuxOptions()
    {
    }

    /// <summary>
    /// Gets or sets the kind of peers that this side communicates with. It sets the defaults of all limits of this side. A limit that you set overrides the
    /// profile, even if you set the profile later.
    /// </summary>
    /// <value><see cref="MuxProfile.Edge"/> by default.</value>
    public MuxProfile Profile { get; set; }

    /// <summary>Gets or sets the address at which a server listens or to which a channel connects.</summary>
    /// <value><c>mux://host:port</c>, <c>muxs://host:port</c> (TLS), <c>mux+unix:///path</c>, <c>mux+pipe://name</c> or, for a channel,
    /// <c>mux+ws://host:port/path</c>; see <see cref="MuxAddress"/>. <c>mux://127.0.0.1:7070</c> by default. A server with an empty address does not listen; it
    /// serves the connections passed to <see cref="MuxServer.ServeAsync"/>.</value>
    /// <remarks>
    /// A server has one address. A channel has one address or many servers:
    /// <list type="bullet">
    /// <item><description><c>mux://a:7070,b:7070</c> or <c>muxs://a,b</c>: these servers. A list has one scheme; the port of each is 7070 by
    /// default.</description></item>
    /// <item><description><c>mux+dns://name:port</c>, or <c>muxs+dns://name:port</c> with TLS: the servers at all IPv4 and IPv6 addresses of a name, such as
    /// a headless service of Kubernetes. The name is looked up every 12 to 18 s, and when a connection fails. Certificates must contain the
    /// name.</description></item>
    /// <item><description><c>mux+srv</c>, <c>mux+service</c>, <c>mux+etcd</c> and <c>mux+k8s</c>: names that packages look up in other systems. They set
    /// <see cref="MuxChannelOptions.Endpoints"/>.</description></item>
    /// </list>
    /// </remarks>
    public string Address { get; set; } = "mux://127.0.0.1:7070";

    /// <summary>Gets or sets the name of this side in the peer's logs.</summary>
    /// <value>Up to 256 bytes of UTF-8; empty by default.</value>
    public string PeerName { get; set; } = string.Empty;

    /// <summary>
    /// Gets or sets where your code runs if its contract does not choose a mode: on a server the handlers, on a channel the code after calls.
    /// </summary>
    /// <value><see cref="MuxDispatchMode.Adaptive"/> by default; <see cref="MuxDispatchMode.Default"/> means the same mode. Ordered and Serial are for
    /// contracts alone.</value>
    public MuxDispatchMode Dispatch { get; set; } = MuxDispatchMode.Adaptive;

    /// <summary>
    /// Gets the filters, around calls in both directions: around the handlers of this side and around the calls that it makes by proxies, unless
    /// <see cref="MuxFilter.RunsOn"/> says otherwise. They run once for each call of the caller, whatever <see cref="MuxChannelOptions.Resilience"/> sends
    /// again.
    /// </summary>
    public MuxFilterCollection Filters { get; } = new();

    /// <summary>
    /// Maximum payload of one frame that this side receives. The peer sends messages above 16 KiB in frames of 32 KiB, or of this value if it is less.
    /// </summary>
    /// <value>Bytes, 16,384 to 65,536; 65,536 by default.</value>
    public int MaxFramePayload { get; set; } = 65_536;

    /// <summary>
    /// Maximum length of a message that this side receives: a request, a reply or an item of a stream. A longer message fails its call before a byte of it is
    /// sent. A contract can set a lower limit with <see cref="MuxChoicesAttribute.MaxMessageBytes"/>. Use a stream to send more bytes than one message can
    /// hold.
    /// </summary>
    /// <value>Bytes, 16,384 to 1 GiB; 4 MiB by default, 64 MiB with <see cref="MuxProfile.Internal"/>.</value>
    public int MaxMessageBytes
    {
        get => _maxMessageBytes ?? ProfileDefaults.Of(Profile).MaxMessageBytes;
        set => _maxMessageBytes = value;
    }

    /// <summary>
    /// Maximum number of bytes of metadata that this side receives with one request or reply: keys, values and 32 bytes for each entry. A call with more fails
    /// before it is sent.
    /// </summary>
    /// <value>Bytes, 0 to 65,535; 8,192 by default, 65,535 with <see cref="MuxProfile.Internal"/>.</value>
    public int MaxMetadataBytes
    {
        get => _maxMetadataBytes ?? ProfileDefaults.Of(Profile).MaxMetadataBytes;
        set => _maxMetadataBytes = value;
    }

    /// <summary>
    /// Initial window of a stream: the number of bytes that the peer may send before your code consumes items. While the window limits the throughput of the
    /// stream, it grows up to 16 MiB. Each item counts as its length plus 8 bytes, at least 64.
    /// </summary>
    /// <value>Bytes, 1,024 to 16 MiB; 65,536 by default.</value>
    public int StreamWindowBytes { get; set; } = 64 * 1024;

    /// <summary>
    /// Maximum sum of the windows of all streams that one connection receives. At the limit, windows do not grow. For a stream that has no room for its
    /// initial window the channel opens a further connection, if it may; otherwise the call fails with <see cref="MuxStatus.ResourceExhausted"/>, not executed.
    /// </summary>
    /// <value>Bytes, 65,536 to 16 GiB and at least <see cref="StreamWindowBytes"/>; 128 MiB by default, which is 2,048 streams with their initial window, or
    /// 1,024 duplex streams at a gateway, where both directions count.</value>
    public long MaxStreamBytes { get; set; } = 128 * 1024 * 1024;

    /// <summary>
    /// Maximum number of bytes that incomplete messages and unconsumed items may hold on one connection. A message for which there is no room fails its call
    /// with <see cref="MuxStatus.ResourceExhausted"/>.
    /// </summary>
    /// <remarks>
    /// Messages above 16 KiB arrive in fragments. An incomplete message counts as its length, rounded up to a power of two. Complete items that your code has
    /// not consumed count only with the bytes that exceed the window of their stream.
    /// </remarks>
    /// <value>Bytes, 65,536 to 16 GiB and at least <see cref="MaxMessageBytes"/>, because a message of that length must fit; 64 MiB by default, 128 MiB with
    /// <see cref="MuxProfile.Internal"/>.</value>
    public long MaxReassemblyBytes
    {
        get => _maxReassemblyBytes ?? ProfileDefaults.Of(Profile).MaxReassemblyBytes;
        set => _maxReassemblyBytes = value;
    }

    /// <summary>
    /// Maximum number of bytes of requests and replies above 16 KiB that may be in flight to this side on one connection. In the worst case, a small message
    /// arrives after all of these bytes. The limit in force starts at 1 MiB, or at this value if that is less. While it limits the throughput, it grows up to
    /// this value, but not above 16 MiB. Items of streams have their own windows.
    /// </summary>
    /// <value>Bytes, 32,768 to 1 GiB; 4 MiB by default.</value>
    public int MaxBulkBytesInFlight { get; set; } = 4 * 1024 * 1024;

    /// <summary>
    /// Number of unsent bytes on one connection above which calls wait at a channel, and received requests wait at a server
    /// (<see cref="MuxServerOptions.MaxParkedBytes"/>). Messages above 16 KiB and streams are counted separately: their limit is four times
    /// <see cref="MaxMessageBytes"/>, or this value if that is more.
    /// </summary>
    /// <value>Bytes, 65,536 to 1 GiB; 1 MiB by default, 4 MiB with <see cref="MuxProfile.Internal"/>.</value>
    public long MaxUnsentBytes
    {
        get => _maxUnsentBytes ?? ProfileDefaults.Of(Profile).MaxUnsentBytes;
        set => _maxUnsentBytes = value;
    }

    /// <summary>
    /// Maximum time from the start of a connection until calls can use it. At a channel, it covers the lookup of the host, the connection, TLS, the handshake
    /// and authentication. At a server it starts when the connection is accepted, after the TLS handshake, which
    /// <see cref="Transports.Tls.TlsServerOptions.HandshakeTimeout"/> limits.
    /// </summary>
    /// <value>10 ms to 10 minutes; 10 s by default.</value>
    public TimeSpan HandshakeTimeout { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>
    /// Time of silence after which a side with open calls sends a PING to check that the peer is alive. A server also sends PINGs while no call is open, but no
    /// more often than every 1.25 s.
    /// </summary>
    /// <remarks>
    /// Set it below the idle timeout of proxies between the two sides: a proxy closes a connection that is silent for longer, even if calls are open on it. Mux
    /// raises a value below a tenth of the peer's <see cref="MuxPeerLimits.PingInterval"/> to that tenth, but to at most 1 minute or ten times the value,
    /// whichever is more.
    /// </remarks>
    /// <value>10 ms to 24 days, or <see cref="Timeout.InfiniteTimeSpan"/> for never. 30 s by default at a channel, 2 minutes at a server.</value>
    public TimeSpan KeepAliveTime { get; set; }

    /// <summary>Maximum time for the peer to answer a PING. After this time, the connection is closed.</summary>
    /// <value>10 ms to 10 minutes; 15 s by default.</value>
    public TimeSpan KeepAliveTimeout { get; set; } = TimeSpan.FromSeconds(15);

    /// <summary>Time without calls after which a connection is closed. A channel connects again at the next call.</summary>
    /// <value>10 ms to 24 days, or <see cref="Timeout.InfiniteTimeSpan"/> for never, which is the default.</value>
    public TimeSpan IdleTimeout { get; set; } = Timeout.InfiniteTimeSpan;

    /// <summary>Maximum time for which a peer may accept no bytes while bytes wait for it. After this time, the connection is closed.</summary>
    /// <remarks>It also limits how long a frame may stay incomplete, and how long large replies may wait for the peer's credit.</remarks>
    /// <value>10 ms to 1 hour; 30 s by default.</value>
    public TimeSpan StallTimeout { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>Time that open calls have to finish when a server stops, a client's credential expires, or a channel is disposed.</summary>
    /// <value>0 to 1 hour. 20 s by default at a server, 5 s at a channel.</value>
    public TimeSpan DrainTimeout { get; set; }

    /// <summary>Gets or sets the transport, which moves the bytes.</summary>
    /// <value>Null by default, which means a transport for the scheme of the address. <c>mux</c> and <c>mux+unix</c> use sockets: on Linux the event loops
    /// that all channels and servers without a transport share, see <see cref="EpollTransport"/>; on other systems a <see cref="SocketTransport"/>. <c>muxs</c>
    /// uses a <see cref="TlsTransport"/>, <c>mux+pipe</c> a <see cref="NamedPipeTransport"/>, <c>mux+ws</c> and <c>mux+wss</c> a
    /// <see cref="Transports.WebSockets.WebSocketTransport"/>.
    /// </value>
    public ITransport? Transport { get; set; }

    /// <summary>Gets or sets the factory that creates the meters.</summary>
    /// <value>Null by default, which means the meters of the process. A generic host sets its own factory.</value>
    public IMeterFactory? MeterFactory { get; set; }

    /// <summary>Gets or sets the clock.</summary>
    /// <value><see cref="TimeProvider.System"/> by default.</value>
    public TimeProvider TimeProvider { get; set; } = TimeProvider.System;

    /// <summary>Finds all options that are invalid.</summary>
    /// <returns>One failure for each invalid option, with its name, its value and the allowed values.</returns>
    public virtual IEnumerable<OptionFailure> Validate()
    {
        if (!ListensNowhere && AddressError is { } error) yield return new OptionFailure(nameof(Address), error);
        if (PeerName is null) yield return new OptionFailure(nameof(PeerName), "null is not allowed: expected a text, which may be empty.");
        int nameLength = System.Text.Encoding.UTF8.GetByteCount(PeerName ?? string.Empty);
        if (nameLength > 256) yield return OptionFailure.OutOfRange(nameof(PeerName), $"{nameLength} bytes of UTF-8", "0 to 256");
        if (Dispatch is < MuxDispatchMode.Default or > MuxDispatchMode.Adaptive)
        {
            yield return OptionFailure.OutOfRange(nameof(Dispatch), Dispatch, "Default, Inline, Pool or Adaptive; contracts alone set Ordered and Serial");
        }

        if (MaxFramePayload is < 16_384 or > 65_536) yield return OptionFailure.OutOfRange(nameof(MaxFramePayload), MaxFramePayload, "16384 to 65536 bytes");
        if (MaxMessageBytes is < 16_384 or > 1 << 30)
        {
            yield return OptionFailure.OutOfRange(nameof(MaxMessageBytes), MaxMessageBytes, "16384 to 1073741824 bytes");
        }

        if (MaxMetadataBytes is < 0 or > ushort.MaxValue) yield return OptionFailure.OutOfRange(nameof(MaxMetadataBytes), MaxMetadataBytes, "0 to 65535 bytes");
        if (StreamWindowBytes is < 1024 or > 16 << 20)
        {
            yield return OptionFailure.OutOfRange(nameof(StreamWindowBytes), StreamWindowBytes, "1024 to 16777216 bytes");
        }

        if (MaxStreamBytes is < 65_536 or > 16L << 30)
        {
            yield return OptionFailure.OutOfRange(nameof(MaxStreamBytes), MaxStreamBytes, "65536 to 17179869184 bytes");
        }
        else if (MaxStreamBytes < StreamWindowBytes)
        {
            yield return OptionFailure.OutOfRange(nameof(MaxStreamBytes), MaxStreamBytes, $"at least StreamWindowBytes, which is {StreamWindowBytes}");
        }

        if (MaxReassemblyBytes is < 65_536 or > 16L << 30)
        {
            yield return OptionFailure.OutOfRange(nameof(MaxReassemblyBytes), MaxReassemblyBytes, "65536 to 17179869184 bytes");
        }
        else if (MaxReassemblyBytes < MaxMessageBytes)
        {
            yield return OptionFailure.OutOfRange(
                nameof(MaxReassemblyBytes),
                MaxReassemblyBytes,
                $"at least MaxMessageBytes, which is {MaxMessageBytes}. Raise it, too, or lower MaxMessageBytes");
        }

        if (MaxBulkBytesInFlight is < 32_768 or > 1 << 30)
        {
            yield return OptionFailure.OutOfRange(nameof(MaxBulkBytesInFlight), MaxBulkBytesInFlight, "32768 to 1073741824 bytes");
        }

        if (MaxUnsentBytes is < 65_536 or > 1L << 30)
        {
            yield return OptionFailure.OutOfRange(nameof(MaxUnsentBytes), MaxUnsentBytes, "65536 to 1073741824 bytes");
        }

        if (!IsBetween(HandshakeTimeout, TimeSpan.FromMinutes(10)))
        {
            yield return OptionFailure.OutOfRange(nameof(HandshakeTimeout), HandshakeTimeout, "00:00:00.010 to 00:10:00");
        }

        if (!IsBetweenOrInfinite(KeepAliveTime)) yield return OptionFailure.OutOfRange(nameof(KeepAliveTime), KeepAliveTime, InfiniteRange);
        if (!IsBetween(KeepAliveTimeout, TimeSpan.FromMinutes(10)))
        {
            yield return OptionFailure.OutOfRange(nameof(KeepAliveTimeout), KeepAliveTimeout, "00:00:00.010 to 00:10:00");
        }

        if (!IsBetweenOrInfinite(IdleTimeout)) yield return OptionFailure.OutOfRange(nameof(IdleTimeout), IdleTimeout, InfiniteRange);
        if (!IsBetween(StallTimeout, TimeSpan.FromHours(1)))
        {
            yield return OptionFailure.OutOfRange(nameof(StallTimeout), StallTimeout, "00:00:00.010 to 01:00:00");
        }

        if (DrainTimeout < TimeSpan.Zero || DrainTimeout > TimeSpan.FromHours(1))
        {
            yield return OptionFailure.OutOfRange(nameof(DrainTimeout), DrainTimeout, "00:00:00 to 01:00:00");
        }

        if (TimeProvider is null)
            yield return new OptionFailure(nameof(TimeProvider), "null is not allowed: expected a TimeProvider, such as TimeProvider.System.");
        if (!Enum.IsDefined(Profile)) yield return OptionFailure.OutOfRange(nameof(Profile), Profile, "Edge or Internal");
        foreach (var failure in PeerLimits.Validate(this)) yield return failure;
    }

    /// <summary>Limits of what a peer may send.</summary>
    internal abstract MuxPeerLimits PeerLimits { get; }

    /// <summary>True for a server with an empty address, which does not listen.</summary>
    internal virtual bool ListensNowhere => false;

    /// <summary>What is wrong with the address, or null.</summary>
    private protected virtual string? AddressError => MuxAddress.TryParse(Address, out _, out var error) ? null : error;

    /// <summary>True if the TLS options can be needed, unless there is a transport of its own.</summary>
    private protected virtual bool IsTls => MuxAddress.TryParse(Address, out var address, out _) && address.Scheme == MuxAddress.TlsScheme;

    /// <summary>Finds TLS options that are invalid, or that nothing reads.</summary>
    /// <param name="tls">Null if there are none.</param>
    /// <param name="required">Why a <c>muxs</c> address needs them, or null if it does not.</param>
    private protected IEnumerable<OptionFailure> ValidateTls(TlsOptions? tls, string? required)
    {
        bool isRead = Transport is null && IsTls;
        if (tls is null) return isRead && required is not null ? [new OptionFailure("Tls", required)] : [];
        if (!isRead)
        {
            return [new OptionFailure("Tls", ListensNowhere ? MuxServerOptions.TlsWithoutAddress
                : Transport is null
                ? $"it has no effect: the address '{Address}' is not a {MuxAddress.TlsScheme} address. Change the address, or remove Tls."
                : "it has no effect, because Transport is set. Pass the TLS options to the transport, or remove Tls.")];
        }

        return tls.Validate().Select(failure => failure with { Option = $"Tls:{failure.Option}" });
    }

    private protected const string InfiniteRange = "00:00:00.010 to 24 days, or -00:00:00.001 for never";

    /// <summary>Throws if an option is invalid.</summary>
    internal void ThrowIfInvalid()
    {
        var failures = Validate().ToList();
        if (failures.Count > 0) throw new ArgumentException($"{GetType().Name}: {string.Join(" ", failures)}");
    }

    private protected static bool IsBetween(TimeSpan value, TimeSpan max) => value >= TimeSpan.FromMilliseconds(10) && value <= max;

    // A HELLO frame carries at most 2^31-1 milliseconds.
    private protected static bool IsBetweenOrInfinite(TimeSpan value) => value == Timeout.InfiniteTimeSpan || IsBetween(value, TimeSpan.FromDays(24));
}
