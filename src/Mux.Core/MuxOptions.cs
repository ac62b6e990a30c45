using System.Diagnostics.Metrics;
using Mux.Transports;
using Mux.Transports.Epoll;
using Mux.Transports.Sockets;

namespace Mux;

/// <summary>What channels and servers have in common. Read once, when a channel is created or a server is started; later changes have no effect.</summary>
public abstract class MuxOptions
{
    private protected MuxOptions()
    {
    }

    /// <summary>Where a server listens or a channel connects to.</summary>
    /// <value><c>mux://host:port</c> or <c>mux+unix:///path</c>; see <see cref="MuxAddress"/>. <c>mux://127.0.0.1:7070</c> by default.</value>
    public string Address { get; set; } = "mux://127.0.0.1:7070";

    /// <summary>How this side calls itself in the peer's logs.</summary>
    /// <value>Up to 256 bytes of UTF-8; empty by default.</value>
    public string PeerName { get; set; } = string.Empty;

    /// <summary>Where user code runs (handlers at a server, continuations at a channel) if its contract does not say.</summary>
    /// <value><see cref="MuxDispatch.Adaptive"/> by default; <see cref="MuxDispatch.Default"/> means the same.</value>
    public MuxDispatch Dispatch { get; set; } = MuxDispatch.Adaptive;

    /// <summary>The longest payload of one frame this side receives. A larger request or reply fails at its sender before a byte of it is sent.</summary>
    /// <value>Bytes, 16,384 to 65,536; 65,536 by default.</value>
    public int MaxFramePayload { get; set; } = 65_536;

    /// <summary>Unsent bytes on one connection above which calls wait and requests are parked.</summary>
    /// <value>Bytes, 65,536 to 1 GiB; 1 MiB by default.</value>
    public long MaxUnsentBytes { get; set; } = 1024 * 1024;

    /// <summary>How long connecting (at a channel) and the peer's part of the handshake may take.</summary>
    /// <value>10 ms to 10 minutes; 10 s by default.</value>
    public TimeSpan HandshakeTimeout { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>After how much silence a peer that has calls open is asked whether it lives.</summary>
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
    /// <see cref="EpollTransport"/>, elsewhere a <see cref="SocketTransport"/>.
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
        if (!MuxAddress.TryParse(Address, out _, out var error)) yield return new OptionFailure(nameof(Address), error);
        if (PeerName is null) yield return new OptionFailure(nameof(PeerName), "It is null.");
        int nameLength = System.Text.Encoding.UTF8.GetByteCount(PeerName ?? string.Empty);
        if (nameLength > 256) yield return OptionFailure.OutOfRange(nameof(PeerName), $"{nameLength} bytes of UTF-8", "0 to 256");
        if (!Enum.IsDefined(Dispatch)) yield return OptionFailure.OutOfRange(nameof(Dispatch), Dispatch, "Default, Inline, Pool or Adaptive");
        if (MaxFramePayload is < 16_384 or > 65_536) yield return OptionFailure.OutOfRange(nameof(MaxFramePayload), MaxFramePayload, "16384 to 65536 bytes");
        if (MaxUnsentBytes is < 65_536 or > 1L << 30) yield return OptionFailure.OutOfRange(nameof(MaxUnsentBytes), MaxUnsentBytes, "65536 to 1073741824 bytes");
        if (!IsBetween(HandshakeTimeout, TimeSpan.FromMinutes(10))) yield return OptionFailure.OutOfRange(nameof(HandshakeTimeout), HandshakeTimeout, "00:00:00.010 to 00:10:00");
        if (!IsBetweenOrInfinite(KeepAliveTime)) yield return OptionFailure.OutOfRange(nameof(KeepAliveTime), KeepAliveTime, InfiniteRange);
        if (!IsBetween(KeepAliveTimeout, TimeSpan.FromMinutes(10))) yield return OptionFailure.OutOfRange(nameof(KeepAliveTimeout), KeepAliveTimeout, "00:00:00.010 to 00:10:00");
        if (!IsBetweenOrInfinite(IdleTimeout)) yield return OptionFailure.OutOfRange(nameof(IdleTimeout), IdleTimeout, InfiniteRange);
        if (!IsBetween(StallTimeout, TimeSpan.FromHours(1))) yield return OptionFailure.OutOfRange(nameof(StallTimeout), StallTimeout, "00:00:00.010 to 01:00:00");
        if (DrainTimeout < TimeSpan.Zero || DrainTimeout > TimeSpan.FromHours(1)) yield return OptionFailure.OutOfRange(nameof(DrainTimeout), DrainTimeout, "00:00:00 to 01:00:00");
        if (TimeProvider is null) yield return new OptionFailure(nameof(TimeProvider), "It is null.");
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
