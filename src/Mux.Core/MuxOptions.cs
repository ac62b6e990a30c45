using System.Diagnostics.Metrics;
using Mux.Transports;
using Mux.Transports.Epoll;
using Mux.Transports.Sockets;
using Mux.Transports.Streams;
using Mux.Transports.Tls;

namespace Mux;

/// <summary>What channels and servers have in common. Read once, when a channel is created or a server is started; later changes have no effect.</summary>
public abstract class MuxOptions
{
    private int? _maxMessageBytes;
    private int? _maxMetadataBytes;
    private long? _maxReassemblyBytes;
    private long? _maxUnsentBytes;

    private protected MuxOptions()
    {
    }

    /// <summary>Whom this side has to do with: the defaults of all its limits. Each of them that is set wins, in whatever order they are.</summary>
    /// <value><see cref="MuxProfile.Edge"/> by default.</value>
    public MuxProfile Profile { get; set; }

    /// <summary>Where a server listens or a channel connects to.</summary>
    /// <value><c>mux://host:port</c>, <c>muxs://host:port</c> (TLS), <c>mux+unix:///path</c>, <c>mux+pipe://name</c> or, at a channel,
    /// <c>mux+ws://host:port/path</c>; see <see cref="MuxAddress"/>. <c>mux://127.0.0.1:7070</c> by default. A server whose
    /// address is empty listens nowhere and serves what <see cref="MuxServer.ServeAsync"/> is given.</value>
    public string Address { get; set; } = "mux://127.0.0.1:7070";

    /// <summary>How this side calls itself in the peer's logs.</summary>
    /// <value>Up to 256 bytes of UTF-8; empty by default.</value>
    public string PeerName { get; set; } = string.Empty;

    /// <summary>Where user code runs (handlers at a server, continuations at a channel) if its contract does not say.</summary>
    /// <value><see cref="MuxDispatchMode.Adaptive"/> by default; <see cref="MuxDispatchMode.Default"/> means the same.</value>
    public MuxDispatchMode Dispatch { get; set; } = MuxDispatchMode.Adaptive;

    /// <summary>The longest payload of one frame this side receives. Messages above 16 KiB are cut into frames of 32 KiB, or of this if it is less.</summary>
    /// <value>Bytes, 16,384 to 65,536; 65,536 by default.</value>
    public int MaxFramePayload { get; set; } = 65_536;

    /// <summary>
    /// The longest message this side receives: a request, a reply, an item of a stream. One that is longer fails its call, at the sender before a byte of it is
    /// sent. A contract can ask for less by <see cref="MuxChoicesAttribute.MaxMessageBytes"/>; for more bytes than one message takes there are streams.
    /// </summary>
    /// <value>Bytes, 16,384 to 1 GiB; 4 MiB by default, 64 MiB with <see cref="MuxProfile.Internal"/>.</value>
    public int MaxMessageBytes
    {
        get => _maxMessageBytes ?? ProfileDefaults.Of(Profile).MaxMessageBytes;
        set => _maxMessageBytes = value;
    }

    /// <summary>
    /// The most metadata this side receives with one request or reply: keys, values and 32 bytes for each entry. A call with more fails at the side that would
    /// send it.
    /// </summary>
    /// <value>Bytes, 0 to 65,535; 8,192 by default, 65,535 with <see cref="MuxProfile.Internal"/>.</value>
    public int MaxMetadataBytes
    {
        get => _maxMetadataBytes ?? ProfileDefaults.Of(Profile).MaxMetadataBytes;
        set => _maxMetadataBytes = value;
    }

    /// <summary>
    /// What one stream may bring before its items are taken, at first: its window, which grows on its own up to 16 MiB while it is what limits the stream. Each
    /// item counts its bytes and 8 more, at least 64.
    /// </summary>
    /// <value>Bytes, 1,024 to 16 MiB; 65,536 by default.</value>
    public int StreamWindowBytes { get; set; } = 64 * 1024;

    /// <summary>
    /// The windows of all streams that one connection receives, together. They do not grow beyond; a call whose stream does not fit with its first window fails
    /// with <see cref="MuxStatus.ResourceExhausted"/>, not executed.
    /// </summary>
    /// <value>Bytes, 65,536 to 16 GiB and at least <see cref="StreamWindowBytes"/>; 64 MiB by default, which is 1,024 streams that are read slowly.</value>
    public long MaxStreamBytes { get; set; } = 64 * 1024 * 1024;

    /// <summary>
    /// Messages above 16 KiB arrive in fragments: what those that are not complete may take on one connection, each the next power of two of its length; and
    /// what items that are complete and were not taken cost beyond the window of their stream. A message for which there is no room fails its call with
    /// <see cref="MuxStatus.ResourceExhausted"/>.
    /// </summary>
    /// <value>Bytes, 65,536 to 16 GiB and at least <see cref="MaxMessageBytes"/>, which would else be taken by name only; 64 MiB by default, 128 MiB with
    /// <see cref="MuxProfile.Internal"/>.</value>
    public long MaxReassemblyBytes
    {
        get => _maxReassemblyBytes ?? ProfileDefaults.Of(Profile).MaxReassemblyBytes;
        set => _maxReassemblyBytes = value;
    }

    /// <summary>
    /// How many bytes of requests and replies above 16 KiB may be on their way to this side on one connection, which a small message may have before it; items
    /// of streams have their windows. It begins with 1 MiB, or with this if that is less, and grows up to this, but not above 16 MiB, while it limits them.
    /// </summary>
    /// <value>Bytes, 32,768 to 1 GiB; 4 MiB by default.</value>
    public int MaxBulkBytesInFlight { get; set; } = 4 * 1024 * 1024;

    /// <summary>
    /// Unsent bytes on one connection above which calls wait and requests are parked. Messages above 16 KiB and streams count apart: up to four times
    /// <see cref="MaxMessageBytes"/>, or this if it is more.
    /// </summary>
    /// <value>Bytes, 65,536 to 1 GiB; 1 MiB by default, 4 MiB with <see cref="MuxProfile.Internal"/>.</value>
    public long MaxUnsentBytes
    {
        get => _maxUnsentBytes ?? ProfileDefaults.Of(Profile).MaxUnsentBytes;
        set => _maxUnsentBytes = value;
    }

    /// <summary>How long connecting (at a channel) and the peer's part of the handshake may take.</summary>
    /// <value>10 ms to 10 minutes; 10 s by default.</value>
    public TimeSpan HandshakeTimeout { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>
    /// After how much silence a peer that has calls open is asked whether it lives; a server also asks without calls, then at most every 1.25 s. Less than the
    /// idle limit of a proxy on the way keeps the proxy from cutting calls that wait; less than a tenth of the peer's <see cref="MuxPeerLimits.PingInterval"/>
    /// the peer does not let pass.
    /// </summary>
    /// <value>10 ms or more, or <see cref="Timeout.InfiniteTimeSpan"/> for never. 30 s by default at a channel, 2 minutes at a server.</value>
    public TimeSpan KeepAliveTime { get; set; }

    /// <summary>How long it may take to answer before the connection is given up.</summary>
    /// <value>10 ms to 10 minutes; 15 s by default.</value>
    public TimeSpan KeepAliveTimeout { get; set; } = TimeSpan.FromSeconds(15);

    /// <summary>After how much time without calls a connection is ended. A channel dials again when there is a call.</summary>
    /// <value>10 ms or more, or <see cref="Timeout.InfiniteTimeSpan"/> for never, which is the default.</value>
    public TimeSpan IdleTimeout { get; set; } = Timeout.InfiniteTimeSpan;

    /// <summary>How long a peer may take no byte while some wait for it.</summary>
    /// <value>10 ms to 1 hour; 30 s by default.</value>
    public TimeSpan StallTimeout { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>How long open calls may still run when a server stops or a channel is disposed.</summary>
    /// <value>0 to 1 hour. 20 s by default at a server, 5 s at a channel.</value>
    public TimeSpan DrainTimeout { get; set; }

    /// <summary>What moves the bytes.</summary>
    /// <value>
    /// Null by default, which means sockets: on Linux the event loops that all channels and servers without a transport of their own share, see
    /// <see cref="EpollTransport"/>, elsewhere a <see cref="SocketTransport"/>; for a <c>muxs</c> address a <see cref="TlsTransport"/>, for a <c>mux+pipe</c>
    /// address a <see cref="NamedPipeTransport"/>, for <c>mux+ws</c> and <c>mux+wss</c> a <see cref="Transports.WebSockets.WebSocketTransport"/>.
    /// </value>
    public ITransport? Transport { get; set; }

    /// <summary>Makes the meters.</summary>
    /// <value>Null by default, which means those of the process. A generic host sets its own.</value>
    public IMeterFactory? MeterFactory { get; set; }

    /// <summary>The clock.</summary>
    /// <value><see cref="TimeProvider.System"/> by default.</value>
    public TimeProvider TimeProvider { get; set; } = TimeProvider.System;

    /// <summary>Finds everything that is wrong with these options.</summary>
    /// <returns>One failure per wrong option, naming it, its value and what is allowed.</returns>
    public virtual IEnumerable<OptionFailure> Validate()
    {
        if (!ListensNowhere && !MuxAddress.TryParse(Address, out _, out var error)) yield return new OptionFailure(nameof(Address), error);
        if (PeerName is null) yield return new OptionFailure(nameof(PeerName), "It is null.");
        int nameLength = System.Text.Encoding.UTF8.GetByteCount(PeerName ?? string.Empty);
        if (nameLength > 256) yield return OptionFailure.OutOfRange(nameof(PeerName), $"{nameLength} bytes of UTF-8", "0 to 256");
        if (!Enum.IsDefined(Dispatch)) yield return OptionFailure.OutOfRange(nameof(Dispatch), Dispatch, "Default, Inline, Pool or Adaptive");
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

        if (MaxStreamBytes is < 65_536 or > 16L << 30) yield return OptionFailure
            .OutOfRange(nameof(MaxStreamBytes), MaxStreamBytes, "65536 to 17179869184 bytes");
        else if (MaxStreamBytes < StreamWindowBytes) yield return OptionFailure
            .OutOfRange(nameof(MaxStreamBytes), MaxStreamBytes, $"at least StreamWindowBytes, which is {StreamWindowBytes}");
        if (MaxReassemblyBytes is < 65_536 or > 16L << 30) yield return OptionFailure
            .OutOfRange(nameof(MaxReassemblyBytes), MaxReassemblyBytes, "65536 to 17179869184 bytes");
        else if (MaxReassemblyBytes < MaxMessageBytes) yield return OptionFailure
            .OutOfRange(nameof(MaxReassemblyBytes), MaxReassemblyBytes, $"MaxMessageBytes, which is {MaxMessageBytes}, to 17179869184 bytes");
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

        if (TimeProvider is null) yield return new OptionFailure(nameof(TimeProvider), "It is null.");
        if (!Enum.IsDefined(Profile)) yield return OptionFailure.OutOfRange(nameof(Profile), Profile, "Edge or Internal");
        foreach (var failure in PeerLimits.Validate(this)) yield return failure;
    }

    /// <summary>What a peer may send of what is cheap to send.</summary>
    internal abstract MuxPeerLimits PeerLimits { get; }

    /// <summary>Whether there is no address and need be none.</summary>
    internal virtual bool ListensNowhere => false;

    /// <summary>What is wrong with options of TLS, or with where they stand.</summary>
    /// <param name="tls">Null if there are none.</param>
    /// <param name="required">Why a <c>muxs</c> address needs them, or null if it does not.</param>
    private protected IEnumerable<OptionFailure> ValidateTls(TlsOptions? tls, string? required)
    {
        bool isRead = Transport is null && MuxAddress.TryParse(Address, out var address, out _) && address.Scheme == MuxAddress.TlsScheme;
        if (tls is null) return isRead && required is not null ? [new OptionFailure("Tls", required)] : [];
        if (!isRead)
        {
            return [new OptionFailure("Tls", Transport is null ? $"nothing reads it: the address '{Address}' is not a {MuxAddress.TlsScheme} address."
                : "nothing reads it: Transport is set.")];
        }

        return tls.Validate().Select(failure => failure with { Option = $"Tls:{failure.Option}" });
    }

    private protected const string InfiniteRange = "00:00:00.010 to 24 days, or -00:00:00.001 for never";

    /// <summary>Throws if something is wrong.</summary>
    internal void ThrowIfInvalid()
    {
        var failures = Validate().ToList();
        if (failures.Count > 0) throw new ArgumentException($"{GetType().Name}: {string.Join(" ", failures)}");
    }

    private protected static bool IsBetween(TimeSpan value, TimeSpan max) => value >= TimeSpan.FromMilliseconds(10) && value <= max;

    // What a HELLO can carry: 2^31-1 milliseconds.
    private protected static bool IsBetweenOrInfinite(TimeSpan value) => value == Timeout.InfiniteTimeSpan || IsBetween(value, TimeSpan.FromDays(24));
}
