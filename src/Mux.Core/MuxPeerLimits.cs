namespace Mux;

/// <summary>
/// How much a peer may send of what is cheap to send and dear to receive. Peers that play by the rules do not come near: what goes with messages is earned by
/// them, and these are for the rest. A peer that uses one up is cut off, by the code that stands there, in metrics and in the log; its calls fail as with any
/// lost connection.
/// </summary>
public class MuxPeerLimits
{
    /// <summary>
    /// Maximum number of frames that carry no message (credit, cancels, PINGs, definitions, credentials, GOAWAY, extensions) in 10 s, beyond one for each
    /// message received, for each item of a stream sent and for each 64 bytes sent. A peer that returns credit for each item is within it. Announced as setting
    /// 16 of HELLO. ExcessiveLoad.
    /// </summary>
    /// <value>1,000 to 1,000,000,000, or <see cref="MuxLimit.Unbounded"/>. 10,000 with <see cref="MuxProfile.Edge"/>, 100,000 with
    /// <see cref="MuxProfile.Internal"/>.</value>
    public MuxLimit ControlFrames { get; set; }

    /// <summary>
    /// Maximum number of fragments of less than 1 KiB of messages that do not become whole, and of empty pieces of byte streams, in 10 s, beyond one for each
    /// larger frame of a message and each 4 KiB received. Announced as setting 17 of HELLO. ExcessiveLoad.
    /// </summary>
    /// <value>64 to 1,000,000,000, or <see cref="MuxLimit.Unbounded"/>. 10,000 with <see cref="MuxProfile.Edge"/>, 100,000 with
    /// <see cref="MuxProfile.Internal"/>.</value>
    public MuxLimit TinyFrames { get; set; }

    /// <summary>
    /// Requests that are refused for what they are, in 10 s, beyond one for each eight that are received. Of a method that is not served, not allowed, of
    /// another shape, or takes less, the first request counts and the others do not: they are a peer's with another version of the contract. One whose metadata
    /// is too much counts for a tenth of them all. What is refused because this side has no room does not count. ExcessiveLoad.
    /// </summary>
    /// <value>10 to 1,000,000,000, or <see cref="MuxLimit.Unbounded"/>. 200 with <see cref="MuxProfile.Edge"/>, 10,000 with
    /// <see cref="MuxProfile.Internal"/>.</value>
    public MuxLimit MisusedRequests { get; set; }

    /// <summary>
    /// Requests in 10 s from which on it is suspect that more than nine of ten are cancelled within a second of their start, and before half of their own time
    /// is over. Announced as setting 19 of HELLO: a channel keeps within a quarter of it, by sending further cancels a second later. ExcessiveLoad.
    /// </summary>
    /// <value>100 to 1,000,000,000, or <see cref="MuxLimit.Unbounded"/>. 100,000 with <see cref="MuxProfile.Edge"/>, none with
    /// <see cref="MuxProfile.Internal"/>.</value>
    public MuxLimit PrematureCancels { get; set; }

    /// <summary>
    /// How much later than the last one a PING has to come, if nothing was received or sent between them. A peer that has announced a shorter
    /// <see cref="MuxOptions.KeepAliveTime"/> may ask that often, but not more than ten times as often as this; once a minute it may in any case. Announced as
    /// setting 18 of HELLO: a channel asks no more often, down to once a minute, or once in ten times its own time. A channel that is cut off for it doubles
    /// its own.
    /// </summary>
    /// <value>Null for that of the profile, or 1 ms to 1 hour. 1 s with <see cref="MuxProfile.Edge"/>, 100 ms with <see cref="MuxProfile.Internal"/>.</value>
    public TimeSpan? PingInterval { get; set; }

    /// <summary>How many PINGs in a row may come sooner. TooManyPings.</summary>
    /// <value>1 to 1,000,000, or <see cref="MuxLimit.Unbounded"/>. 100 with <see cref="MuxProfile.Edge"/>, 1,000 with
    /// <see cref="MuxProfile.Internal"/>.</value>
    public MuxLimit PingStrikes { get; set; }

    /// <summary>
    /// Bytes per second that a peer has to take while some wait for it, on the average of <see cref="MuxOptions.StallTimeout"/>, and that make up for the time
    /// in which a frame is begun and not whole, of which it has as much. SlowPeer.
    /// </summary>
    /// <value>1 to 1,000,000, or <see cref="MuxLimit.Unbounded"/> for no such limit. 240 with <see cref="MuxProfile.Edge"/>, none with
    /// <see cref="MuxProfile.Internal"/>.</value>
    public MuxLimit MinByteRate { get; set; }

    /// <summary>
    /// How long a message in fragments may go on without another one: a request, a reply or an item above 32 KiB. Then its call fails with
    /// <see cref="MuxStatus.ResourceExhausted"/>, and a peer that does not answer a PING, either, is cut off: SlowPeer. While at least a 64th of what such
    /// messages hold comes in that time, of whichever, none is given up: on a slow link they wait for each other. Deadlines hold besides.
    /// </summary>
    /// <value>
    /// Null for that of the profile, 1 s to 1 hour, or <see cref="Timeout.InfiniteTimeSpan"/> for ever. 30 s with <see cref="MuxProfile.Edge"/>, 5 minutes with
    /// <see cref="MuxProfile.Internal"/>. It is noticed up to half of it later, so that what waits to be read comes first.
    /// </value>
    public TimeSpan? FragmentTimeout { get; set; }

    /// <summary>
    /// Bytes per second at which a message in fragments has to arrive as a whole. It has <see cref="FragmentTimeout"/> and the time that its length takes at
    /// this rate: a message of 4 MiB has 286 s with <see cref="MuxProfile.Edge"/>. Then its call fails with <see cref="MuxStatus.ResourceExhausted"/>, a
    /// request as not executed.
    /// </summary>
    /// <value>1 to 1,000,000,000, or <see cref="MuxLimit.Unbounded"/> for no such limit. 16,384 with <see cref="MuxProfile.Edge"/>, none with
    /// <see cref="MuxProfile.Internal"/>.</value>
    public MuxLimit MinMessageRate { get; set; }

    /// <summary>Everything that is wrong with them.</summary>
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
            ? [OptionFailure.OutOfRange(Path(nameof(FragmentTimeout)), timeout, "00:00:01 to 01:00:00, or -00:00:00.001 for ever")]
            : Array.Empty<OptionFailure>(),
    ];

    private protected static IEnumerable<OptionFailure> Check(string name, MuxLimit limit, long min, long max)
    {
        if (limit.IsSet && !limit.IsUnbounded && (limit.Value < min || limit.Value > max))
            yield return OptionFailure.OutOfRange(Path(name), limit, $"{min} to {max}, or {nameof(MuxLimit.Unbounded)}");
    }

    private protected static string Path(string name) => $"Limits:{name}";
}
