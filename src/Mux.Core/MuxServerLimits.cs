namespace Mux;

/// <summary>The limits of each connection of a server, and those of all its connections together.</summary>
public sealed class MuxServerLimits : MuxPeerLimits
{
    /// <summary>
    /// Maximum number of requests that all connections together handle at the same time: handlers that run, and requests that wait for a thread. Further
    /// requests of up to 16 KiB wait until others have ended. Larger ones fail before they are decoded, with
    /// <see cref="MuxStatus.ResourceExhausted"/>, not executed, and channels send them again.
    /// </summary>
    /// <remarks>
    /// A request counts from its start. Incomplete requests, and requests that wait because their caller reads no replies, do not count. Nor do health checks,
    /// and calls that return a subscription to a topic: up to ten times this number of those are open. Requests that wait are
    /// refused, not executed, with a <see cref="MuxFailure.RetryAfter"/> of 100 ms, when half of the time is gone that their
    /// deadline left, or when none of their connection has got a place for 30 s;
    /// <see cref="MuxServerOptions.MaxParkedBytes"/> and <see cref="MaxHeldBytes"/> bound what they hold. Requests
    /// that begin have at least the other half: timeouts should be more than twice the time of a handler. A connection
    /// gets another place only if at least as many places remain free as the connection then holds. So one connection
    /// can hold at most half of the places. The last 32nd of the places is reserved for the first request of a
    /// connection, and the sixteenth before it for connections with few requests.
    /// <see cref="MuxServerOptions.MaxCallsPerConnection"/> also bounds the requests of one connection.
    /// </remarks>
    /// <value>1 to 1,000,000,000, or <see cref="MuxLimit.Unbounded"/>. 10,000 with <see cref="MuxProfile.Edge"/>, none with
    /// <see cref="MuxProfile.Internal"/>.</value>
    public MuxLimit MaxHandlers { get; set; }

    /// <summary>
    /// Maximum number of requests from one address that the server handles at the same time, summed over all connections of the address. The first 64 bits of
    /// an IPv6 address count as the address. Peers on this machine and peers without an address do not count. All clients behind one proxy or address
    /// translation may have the same address, so the first request of each connection goes up to a quarter above the limit, and the n-th up to an n-th of that.
    /// </summary>
    /// <value>1 to 1,000,000,000 and at most <see cref="MaxHandlers"/>, or <see cref="MuxLimit.Unbounded"/>. Half of <see cref="MaxHandlers"/> with
    /// <see cref="MuxProfile.Edge"/>, none with <see cref="MuxProfile.Internal"/>.</value>
    public MuxLimit MaxHandlersPerAddress { get; set; }

    /// <summary>
    /// Maximum number of connections that have not finished Mux's handshake. At the limit, a new connection can replace the oldest pending connection of the
    /// address with the most pending connections. It does so if the old connection is older than 1 s. It also does so if the address of the old connection then
    /// still has at least as many pending connections as the address of the new one. Otherwise the server closes the new connection. With TLS,
    /// <see cref="Transports.Tls.TlsServerOptions.MaxPendingHandshakes"/> limits the TLS handshakes, which come first.
    /// </summary>
    /// <value>1 to 1,000,000, or <see cref="MuxLimit.Unbounded"/>. 256 with <see cref="MuxProfile.Edge"/>, 1,024 with
    /// <see cref="MuxProfile.Internal"/>.</value>
    public MuxLimit MaxPendingHandshakes { get; set; }

    /// <summary>
    /// Maximum number of connections from one address that have not finished Mux's handshake. At the limit, the server closes the oldest pending connection of
    /// the address if it is older than 1 s, otherwise the new connection. Peers without an address do not count. All clients behind one proxy or address
    /// translation may have the same address.
    /// </summary>
    /// <value>1 to 1,000,000 and at most <see cref="MaxPendingHandshakes"/>, or <see cref="MuxLimit.Unbounded"/>. 64 with <see cref="MuxProfile.Edge"/>, none
    /// with <see cref="MuxProfile.Internal"/>.</value>
    public MuxLimit MaxPendingHandshakesPerAddress { get; set; }

    /// <summary>
    /// Maximum number of bytes that all connections together may hold for peers that do not accept them. Above it, the server closes connections until it holds
    /// less. It closes the connection with the highest product first: unsent bytes multiplied by the time for which the peer has been slow. Checked every 100
    /// ms while any peer accepts no bytes.
    /// </summary>
    /// <value>Bytes, 1 MiB to 16 TiB and at least <see cref="MuxOptions.MaxUnsentBytes"/>, or <see cref="MuxLimit.Unbounded"/>. 256 MiB with
    /// <see cref="MuxProfile.Edge"/>, 1 GiB with <see cref="MuxProfile.Internal"/>.</value>
    public MuxLimit MaxUnsentBytes { get; set; }

    /// <summary>
    /// Maximum number of bytes that the server holds for its peers, over all connections. Above it, requests fail with
    /// <see cref="MuxStatus.ResourceExhausted"/>, not executed, windows do not grow, and handlers wait if their callers do not read replies.
    /// </summary>
    /// <remarks>
    /// Counts the received bytes of incomplete messages and frames, the windows of request streams, requests above 1 KiB that run or wait, and unsent large
    /// replies and streams. A connection gets more bytes only if at least as many bytes remain free as the connection then holds. So one connection can hold at
    /// most half of the bytes. The last sixteenth is reserved for connections that hold little.
    /// </remarks>
    /// <value>Bytes, 1 MiB to 16 TiB and at least twice <see cref="MuxOptions.MaxMessageBytes"/>, or <see cref="MuxLimit.Unbounded"/>. By default a quarter of
    /// the memory that the process may use with <see cref="MuxProfile.Edge"/>, half of it with <see cref="MuxProfile.Internal"/>; the limit of a container
    /// counts.
    /// </value>
    public MuxLimit MaxHeldBytes { get; set; }

    /// <summary>
    /// Maximum number of bytes that the server holds for all connections from one address. The first 64 bits of an IPv6 address count as the address.
    /// Authenticated peers and peers on this machine do not count. All clients behind one proxy or address translation may have the same address.
    /// </summary>
    /// <value>Bytes, 1 MiB to 16 TiB and at most <see cref="MaxHeldBytes"/>, or <see cref="MuxLimit.Unbounded"/>. A quarter of <see cref="MaxHeldBytes"/> with
    /// <see cref="MuxProfile.Edge"/>, none with <see cref="MuxProfile.Internal"/>.
    /// </value>
    public MuxLimit MaxHeldBytesPerAddress { get; set; }

    internal override IEnumerable<OptionFailure> Validate(MuxOptions options)
    {
        foreach (var failure in base.Validate(options)) yield return failure;
        foreach (var failure in Check(nameof(MaxHandlers), MaxHandlers, 1, 1_000_000_000)) yield return failure;
        foreach (var failure in Check(nameof(MaxHandlersPerAddress), MaxHandlersPerAddress, 1, 1_000_000_000)) yield return failure;
        foreach (var failure in Check(nameof(MaxPendingHandshakes), MaxPendingHandshakes, 1, 1_000_000)) yield return failure;
        foreach (var failure in Check(nameof(MaxPendingHandshakesPerAddress), MaxPendingHandshakesPerAddress, 1, 1_000_000)) yield return failure;
        foreach (var failure in Check(nameof(MaxUnsentBytes), MaxUnsentBytes, 1 << 20, 16L << 40)) yield return failure;
        if (MaxUnsentBytes is { IsSet: true, Value: >= 1 << 20 } && MaxUnsentBytes.Value < options.MaxUnsentBytes)
            yield return OptionFailure.OutOfRange(
                Path(nameof(MaxUnsentBytes)), MaxUnsentBytes, $"at least MaxUnsentBytes of one connection, which is {options.MaxUnsentBytes}");
        foreach (var failure in Check(nameof(MaxHeldBytes), MaxHeldBytes, 1 << 20, 16L << 40)) yield return failure;
        foreach (var failure in Check(nameof(MaxHeldBytesPerAddress), MaxHeldBytesPerAddress, 1 << 20, 16L << 40)) yield return failure;
        if (MaxHeldBytes is { IsSet: true, Value: >= 1 << 20 } && MaxHeldBytes.Value < 2L * options.MaxMessageBytes)
            yield return OptionFailure.OutOfRange(Path(nameof(MaxHeldBytes)), MaxHeldBytes,
                $"at least twice MaxMessageBytes, which is {options.MaxMessageBytes}: one connection may hold at most half");
        var defaults = ProfileDefaults.Of(options.Profile);
        foreach (var failure in CheckShare(nameof(MaxHeldBytesPerAddress), MaxHeldBytesPerAddress, nameof(MaxHeldBytes), MaxHeldBytes,
            EffectiveLimits.HeldBytesOf(options, defaults), options.Profile))
        {
            yield return failure;
        }

        foreach (var failure in CheckShare(
            nameof(MaxHandlersPerAddress), MaxHandlersPerAddress, nameof(MaxHandlers), MaxHandlers, defaults.MaxHandlers, options.Profile))
        {
            yield return failure;
        }

        foreach (var failure in CheckShare(nameof(MaxPendingHandshakesPerAddress), MaxPendingHandshakesPerAddress, nameof(MaxPendingHandshakes),
            MaxPendingHandshakes, defaults.MaxPendingHandshakes, options.Profile))
        {
            yield return failure;
        }
    }

    /// <summary>
    /// A share above its total would limit nothing, although it was set as a limit. A share that was not set follows the total.
    /// </summary>
    private static IEnumerable<OptionFailure> CheckShare(string name, MuxLimit share, string totalName, MuxLimit total, long ofProfile, MuxProfile profile)
    {
        if (share is { IsSet: true, IsUnbounded: false } && share.Value > total.Or(ofProfile))
            yield return OptionFailure.OutOfRange(
                Path(name), share, $"at most Limits:{totalName}, which is {(total.IsSet ? total : $"{ofProfile} with the profile {profile}")}, " +
                $"or {nameof(MuxLimit.Unbounded)}");
    }
}
