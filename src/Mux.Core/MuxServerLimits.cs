namespace Mux;

/// <summary>The limits of a server, over all its connections, beside those of each peer.</summary>
public sealed class MuxServerLimits : MuxPeerLimits
{
    /// <summary>
    /// Requests that all connections together may have unanswered: handlers that run, and those that wait for a thread. One more is refused before it is
    /// decoded, with <see cref="MuxStatus.ResourceExhausted"/>, not executed, to be made again after 100 ms. So is one of a connection that has as many as are
    /// left for all others together; the last sixteenth is for connections with few. <see cref="MuxServerOptions.MaxCallsPerConnection"/> bounds those of one
    /// connection besides.
    /// </summary>
    /// <value>1 to 1,000,000,000, or <see cref="MuxLimit.Unbounded"/>. 10,000 with <see cref="MuxProfile.Edge"/>, none with
    /// <see cref="MuxProfile.Internal"/>.</value>
    public MuxLimit MaxHandlers { get; set; }

    /// <summary>
    /// The same of the connections of one address, of peers that have one and are not on this machine; of IPv6 its first 64 bits. Behind a proxy, or an address
    /// translation, all clients may have the same.
    /// </summary>
    /// <value>1 to 1,000,000,000 and at most <see cref="MaxHandlers"/>, or <see cref="MuxLimit.Unbounded"/>. Half of <see cref="MaxHandlers"/> with
    /// <see cref="MuxProfile.Edge"/>, none with <see cref="MuxProfile.Internal"/>.</value>
    public MuxLimit MaxHandlersPerAddress { get; set; }

    /// <summary>
    /// Connections that have not finished Mux's handshake. One more is closed when it is accepted. Those of TLS are counted before, by
    /// <see cref="Transports.Tls.TlsServerOptions.MaxPendingHandshakes"/>.
    /// </summary>
    /// <value>1 to 1,000,000, or <see cref="MuxLimit.Unbounded"/>. 256 with <see cref="MuxProfile.Edge"/>, 1,024 with
    /// <see cref="MuxProfile.Internal"/>.</value>
    public MuxLimit MaxPendingHandshakes { get; set; }

    /// <summary>The same of one address, of peers that have one. Behind a proxy, or an address translation, all clients may have the same.</summary>
    /// <value>1 to 1,000,000 and at most <see cref="MaxPendingHandshakes"/>, or <see cref="MuxLimit.Unbounded"/>. 64 with <see cref="MuxProfile.Edge"/>, none
    /// with <see cref="MuxProfile.Internal"/>.</value>
    public MuxLimit MaxPendingHandshakesPerAddress { get; set; }

    /// <summary>
    /// Bytes that all connections together may hold for peers that do not take them. Beyond, the connections whose peers have taken none for the longest time
    /// are ended, until it is less. It is looked at every 100 ms while any peer takes none.
    /// </summary>
    /// <value>Bytes, 1 MiB to 16 TiB and at least <see cref="MuxOptions.MaxUnsentBytes"/>, or <see cref="MuxLimit.Unbounded"/>. 256 MiB with
    /// <see cref="MuxProfile.Edge"/>, 1 GiB with <see cref="MuxProfile.Internal"/>.</value>
    public MuxLimit MaxUnsentBytes { get; set; }

    /// <summary>
    /// Bytes that peers may make all connections together hold: messages that are not whole, windows of request streams, requests above 1 KiB that run or wait,
    /// and large replies and streams that are not sent. Beyond, requests are refused with <see cref="MuxStatus.ResourceExhausted"/>, not executed, windows do
    /// not grow, and handlers whose replies are not read wait. A connection may have as much as it leaves for all others; the last sixteenth is for connections
    /// with little.
    /// </summary>
    /// <value>
    /// Bytes, 1 MiB to 16 TiB and at least twice <see cref="MuxOptions.MaxMessageBytes"/>, or <see cref="MuxLimit.Unbounded"/>. By default a quarter of the
    /// memory that the process may use with <see cref="MuxProfile.Edge"/>, half of it with <see cref="MuxProfile.Internal"/>; the limit of a container counts.
    /// </value>
    public MuxLimit MaxHeldBytes { get; set; }

    /// <summary>
    /// The same of the connections of one address, of peers that are not authenticated and not on this machine; of IPv6 its first 64 bits. Behind a proxy, or
    /// an address translation, all clients may have the same.
    /// </summary>
    /// <value>
    /// Bytes, 1 MiB to 16 TiB and at most <see cref="MaxHeldBytes"/>, or <see cref="MuxLimit.Unbounded"/>. A quarter of <see cref="MaxHeldBytes"/> with
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
            yield return OptionFailure
                .OutOfRange(Path(nameof(MaxUnsentBytes)), MaxUnsentBytes, $"at least MaxUnsentBytes of one connection, which is {options.MaxUnsentBytes}");
        foreach (var failure in Check(nameof(MaxHeldBytes), MaxHeldBytes, 1 << 20, 16L << 40)) yield return failure;
        foreach (var failure in Check(nameof(MaxHeldBytesPerAddress), MaxHeldBytesPerAddress, 1 << 20, 16L << 40)) yield return failure;
        if (MaxHeldBytes is { IsSet: true, Value: >= 1 << 20 } && MaxHeldBytes.Value < 2L * options.MaxMessageBytes)
            yield return OptionFailure
                .OutOfRange(Path(nameof(MaxHeldBytes)), MaxHeldBytes,
                $"at least twice MaxMessageBytes, which is {options.MaxMessageBytes}: a connection leaves as much as it takes");
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
    /// An address that may have more than there is has no limit, and whoever set one believes otherwise. A share that was not set follows the total.
    /// </summary>
    private static IEnumerable<OptionFailure> CheckShare(string name, MuxLimit share, string totalName, MuxLimit total, long ofProfile, MuxProfile profile)
    {
        if (share is { IsSet: true, IsUnbounded: false } && share.Value > total.Or(ofProfile))
            yield return OptionFailure
                .OutOfRange(Path(name), share, $"at most Limits:{totalName}, which is {(total.IsSet ? total : $"{ofProfile} with the profile {profile}")}, " +
                $"or {nameof(MuxLimit.Unbounded)}");
    }
}
