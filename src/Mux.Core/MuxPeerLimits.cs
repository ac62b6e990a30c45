namespace Mux;

/// <summary>
/// Limits of frames that are cheap to send and expensive to receive. Peers that behave normally stay far below these limits: each message allows the frames
/// that belong to it, and only further frames count.
/// </summary>
/// <remarks>A peer that exceeds a limit is disconnected with the protocol code that the limit names. The limit appears in metrics and in the log. Calls of the
/// peer fail as with any lost connection.</remarks>
public class MuxPeerLimits
{
    /// <summary>
    /// Maximum number of frames without a message in 10 s: credit, cancels, PINGs, definitions, credentials, GOAWAY, extensions. This side allows one more for
    /// each message that it receives, each stream item that it sends and each 64 bytes that it sends. A peer that returns credit for each item does not exceed
    /// the limit. Announced as setting 16 of HELLO. Code: ExcessiveLoad.
    /// </summary>
    /// <value>1,000 to 1,000,000,000, or <see cref="MuxLimit.Unbounded"/>. 10,000 with <see cref="MuxProfile.Edge"/>, 100,000 with
    /// <see cref="MuxProfile.Internal"/>.</value>
    public MuxLimit ControlFrames { get; set; }

    /// <summary>
    /// Maximum number of small fragments in 10 s: empty pieces of byte streams, and fragments of less than 1 KiB whose message does not become complete. One
    /// more is allowed for each larger frame of a message and each 4 KiB received. Announced as setting 17 of HELLO. Code: ExcessiveLoad.
    /// </summary>
    /// <value>64 to 1,000,000,000, or <see cref="MuxLimit.Unbounded"/>. 10,000 with <see cref="MuxProfile.Edge"/>, 100,000 with
    /// <see cref="MuxProfile.Internal"/>.</value>
    public MuxLimit TinyFrames { get; set; }

    /// <summary>
    /// Maximum number of requests in 10 s that are refused as misuse (see the remarks). One more is allowed for every eight requests received. Code:
    /// ExcessiveLoad.
    /// </summary>
    /// <remarks>
    /// A request is misuse if its method is unknown, is not allowed or has another shape, or if the request is longer than the method accepts. Only the first
    /// such request of a method counts, because the peer may have another version of the contract. Each request with too much metadata counts as a tenth of the
    /// limit. Requests that are refused for lack of room do not count.
    /// </remarks>
    /// <value>10 to 1,000,000,000, or <see cref="MuxLimit.Unbounded"/>. 200 with <see cref="MuxProfile.Edge"/>, 10,000 with
    /// <see cref="MuxProfile.Internal"/>.</value>
    public MuxLimit MisusedRequests { get; set; }

    /// <summary>
    /// Number of requests in 10 s from which early cancellations can end the connection: it ends if more than 90 % of these requests are cancelled early. A
    /// cancellation is early if it arrives within 1 s of the start of its request and before half of the time limit of the request has passed. Announced as
    /// setting 19 of HELLO: a channel sends at most a quarter of this number of cancels at once, and delays further cancels by about 1 s. Code: ExcessiveLoad.
    /// </summary>
    /// <value>100 to 1,000,000,000, or <see cref="MuxLimit.Unbounded"/>. 100,000 with <see cref="MuxProfile.Edge"/>, none with
    /// <see cref="MuxProfile.Internal"/>.</value>
    public MuxLimit PrematureCancels { get; set; }

    /// <summary>
    /// Minimum time between two PINGs of the peer if nothing else is received or sent between them. Announced as setting 18 of HELLO.
    /// </summary>
    /// <remarks>
    /// <para>A peer that announced a shorter <see cref="MuxOptions.KeepAliveTime"/> may send PINGs at that interval, but at most one in each tenth of this
    /// limit. One PING a minute is always allowed.</para>
    /// <para>A channel waits at least a tenth of the announced time between PINGs, but no longer than 1 minute, or ten times its own
    /// <see cref="MuxOptions.KeepAliveTime"/> if that is more. A channel that is disconnected for too many PINGs doubles its
    /// <see cref="MuxOptions.KeepAliveTime"/>.
    /// </para>
    /// </remarks>
    /// <value>Null for the value of the profile, or 1 ms to 1 hour. 1 s with <see cref="MuxProfile.Edge"/>, 100 ms with
    /// <see cref="MuxProfile.Internal"/>.</value>
    public TimeSpan? PingInterval { get; set; }

    /// <summary>Maximum number of PINGs in a row that follow the previous one sooner than <see cref="PingInterval"/>. Code: TooManyPings.</summary>
    /// <value>1 to 1,000,000, or <see cref="MuxLimit.Unbounded"/>. 100 with <see cref="MuxProfile.Edge"/>, 1,000 with
    /// <see cref="MuxProfile.Internal"/>.</value>
    public MuxLimit PingStrikes { get; set; }

    /// <summary>
    /// Minimum rate, in bytes per second, at which a peer must accept bytes that wait for it, averaged over <see cref="MuxOptions.StallTimeout"/>. A peer may
    /// also leave frames incomplete for <see cref="MuxOptions.StallTimeout"/> in total. The bytes that it sends earn this time back: as many bytes as this
    /// value earn 1 s. Code: SlowPeer.
    /// </summary>
    /// <value>1 to 1,000,000, or <see cref="MuxLimit.Unbounded"/> for no such limit. 240 with <see cref="MuxProfile.Edge"/>, none with
    /// <see cref="MuxProfile.Internal"/>.</value>
    public MuxLimit MinByteRate { get; set; }

    /// <summary>
    /// Maximum time between two fragments of a message above 16 KiB, that is, of a request, a reply or an item. After that time the call of the message fails
    /// with <see cref="MuxStatus.ResourceExhausted"/>. If the peer does not answer a PING either, the connection ends. Code: SlowPeer.
    /// </summary>
    /// <remarks>
    /// On a slow link, messages wait for each other. So no message fails while enough bytes arrive: within this time, fragments with at least 1/64 of the bytes
    /// of all incomplete messages. Deadlines apply in addition.
    /// </remarks>
    /// <value>Null for the value of the profile, 1 s to 1 hour, or <see cref="Timeout.InfiniteTimeSpan"/> for no limit. 30 s with
    /// <see cref="MuxProfile.Edge"/>, 5 minutes with <see cref="MuxProfile.Internal"/>. Mux may check up to half of this time later, so that it reads received
    /// bytes first.
    /// </value>
    public TimeSpan? FragmentTimeout { get; set; }

    /// <summary>
    /// Minimum rate, in bytes per second, of a message that arrives in fragments. The message may take <see cref="FragmentTimeout"/>, plus the time for its
    /// length at this rate: with <see cref="MuxProfile.Edge"/>, a message of 4 MiB may take 286 s. After that time its call fails with
    /// <see cref="MuxStatus.ResourceExhausted"/>; a request fails as not executed.
    /// </summary>
    /// <value>1 to 1,000,000,000, or <see cref="MuxLimit.Unbounded"/> for no such limit. 16,384 with <see cref="MuxProfile.Edge"/>, none with
    /// <see cref="MuxProfile.Internal"/>.</value>
    public MuxLimit MinMessageRate { get; set; }

    /// <summary>Finds all limits that are invalid.</summary>
    internal virtual IEnumerable<OptionFailure> Validate(MuxOptions options) =>
    [
        .. Check(nameof(ControlFrames), ControlFrames, 1_000, 1_000_000_000),
        .. Check(nameof(TinyFrames), TinyFrames, 64, 1_000_000_000),
        .. Check(nameof(MisusedRequests), MisusedRequests, 10, 1_000_000_000),
        .. Check(nameof(PrematureCancels), PrematureCancels, 100, 1_000_000_000),
        .. Check(nameof(PingStrikes), PingStrikes, 1, 1_000_000),
        .. Check(nameof(MinByteRate), MinByteRate, 1, 1_000_000),
        .. Check(nameof(MinMessageRate), MinMessageRate, 1, 1_000_000_000),
        .. PingInterval is { } interval && (interval < TimeSpan.FromMilliseconds(1) || interval > TimeSpan.FromHours(1))
            ? [OptionFailure.OutOfRange(Path(nameof(PingInterval)), interval, "00:00:00.001 to 01:00:00")] : Array.Empty<OptionFailure>(),
        .. FragmentTimeout is { } timeout && timeout != Timeout.InfiniteTimeSpan
            && (timeout < TimeSpan.FromSeconds(1) || timeout > TimeSpan.FromHours(1))
            ? [OptionFailure.OutOfRange(Path(nameof(FragmentTimeout)), timeout, "00:00:01 to 01:00:00, or -00:00:00.001 for no limit")]
            : Array.Empty<OptionFailure>(),
    ];

    private protected static IEnumerable<OptionFailure> Check(string name, MuxLimit limit, long min, long max)
    {
        if (limit.IsSet && !limit.IsUnbounded && (limit.Value < min || limit.Value > max))
            yield return OptionFailure.OutOfRange(Path(name), limit, $"{min} to {max}, or {nameof(MuxLimit.Unbounded)}");
    }

    private protected static string Path(string name) => $"Limits:{name}";
}
