using Mux.Client;
using Mux.Runtime;

namespace Mux;

/// <summary>Options for the choice between the endpoints of a channel. They have no effect on a channel with one endpoint.</summary>
public sealed class MuxBalancing
{
    /// <summary>
    /// Gets or sets how the endpoint of a call is chosen. A call with a key (<see cref="MuxKeyAttribute"/>,
    /// <see cref="MuxCallOptions.Key"/>) goes to the endpoint of its key instead.
    /// </summary>
    /// <value><see cref="MuxBalancingPolicy.TwoChoices"/> by default.</value>
    public MuxBalancingPolicy Policy { get; set; }

    /// <summary>
    /// Gets or sets the zone in which this process runs, as the source of the endpoints names it. Endpoints in the same zone are preferred: see
    /// <see cref="ZoneFactor"/>.
    /// </summary>
    /// <value>Null by default: zones are ignored. An endpoint without a zone counts as near.</value>
    public string? Zone { get; set; }

    /// <summary>
    /// Gets or sets the factor by which an endpoint in another zone counts as more loaded. With 1.5, such an endpoint gets a call only if those of the own zone
    /// have one and a half times as many open calls, not counting four of each, or are slower by as much. So a zone that is full uses the others, and one that
    /// has room does not. With <see cref="MuxBalancingPolicy.RoundRobin"/>, the turns of other zones are divided by this factor.
    /// </summary>
    /// <value>1 to 100; 1.5 by default. 1 ignores zones.</value>
    public double ZoneFactor { get; set; } = 1.5;

    /// <summary>
    /// Gets or sets the time in which the share of an endpoint grows from a tenth to the whole, after it has connected or was ejected: its caches are cold and
    /// its code may not be compiled yet. If all endpoints are new, none is. Only for <see cref="MuxBalancingPolicy.TwoChoices"/>.
    /// </summary>
    /// <value>0 to 10 minutes; 0.5 s by default, so that a server that is back has its share within 2 s. 0 gives the whole share at once.</value>
    public TimeSpan SlowStart { get; set; } = TimeSpan.FromMilliseconds(500);

    /// <summary>
    /// Gets or sets the number of endpoints that this channel uses if its source reports over twice as many. Each client uses others, so all servers get about
    /// the same number of clients. While none of them can be reached, each second as many others are tried; while some
    /// can, others take the places of those that are gone. Calls with a key go to the same endpoint only within one
    /// process.
    /// </summary>
    /// <value>0 for all endpoints, or 2 to 10,000; 20 by default, which has an effect with more than 40 endpoints.</value>
    public int SubsetSize { get; set; } = 20;

    /// <summary>
    /// Gets or sets a value indicating whether an endpoint that fails most of its calls gets none for <see cref="EjectionTime"/>, and for twice as long each
    /// further time, up to <see cref="MaxEjectionTime"/>. Then one call probes it. What fails fast looks idle and would otherwise draw calls.
    /// </summary>
    /// <remarks>
    /// An endpoint is ejected when at least 10 calls and over half of its calls of the last second have failed, at twice the rate of the others; or when five
    /// connections in a row failed. Failed are calls whose connection was lost, that ended with Unavailable, Internal, Unknown or DataLoss, or whose deadline
    /// passed after they were sent; not calls that a server refused before it executed them. At most half of the endpoints are ejected, never the last open
    /// one. While fewer than half are open, all open ones get calls. An endpoint that was away is probed as soon as it is connected again, however much of its
    /// time is left.
    /// </remarks>
    /// <value>True by default.</value>
    public bool EjectFailing { get; set; } = true;

    /// <summary>Gets or sets how long an endpoint that fails its calls gets none, the first time. Has an effect with <see cref="EjectFailing"/>.</summary>
    /// <value>0.1 s to 10 minutes, and at most <see cref="MaxEjectionTime"/>; 5 s by default.</value>
    public TimeSpan EjectionTime { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>
    /// Gets or sets how long an endpoint that fails its calls gets none at most: each time lasts twice as long as the one before, until the endpoint has served
    /// for as long. Has an effect with <see cref="EjectFailing"/>.
    /// </summary>
    /// <value><see cref="EjectionTime"/> to 1 hour; 5 minutes by default.</value>
    public TimeSpan MaxEjectionTime { get; set; } = TimeSpan.FromMinutes(5);

    /// <summary>Finds all options that are invalid.</summary>
    internal IEnumerable<OptionFailure> Validate()
    {
        if (!Enum.IsDefined(Policy)) yield return OptionFailure.OutOfRange(nameof(Policy), Policy, "TwoChoices or RoundRobin");
        if (Zone is { Length: 0 }) yield return OptionFailure.OutOfRange(nameof(Zone), Zone, "null or the name of a zone");
        if (!(ZoneFactor is >= 1 and <= 100)) yield return OptionFailure.OutOfRange(nameof(ZoneFactor), ZoneFactor, "1 to 100");
        if (SlowStart < TimeSpan.Zero || SlowStart > TimeSpan.FromMinutes(10))
        {
            yield return OptionFailure.OutOfRange(nameof(SlowStart), SlowStart, "00:00:00 to 00:10:00");
        }

        if (EjectionTime < TimeSpan.FromMilliseconds(100) || EjectionTime > TimeSpan.FromMinutes(10))
        {
            yield return OptionFailure.OutOfRange(nameof(EjectionTime), EjectionTime, "00:00:00.100 to 00:10:00");
        }

        if (MaxEjectionTime < EjectionTime || MaxEjectionTime > TimeSpan.FromHours(1))
        {
            yield return OptionFailure.OutOfRange(nameof(MaxEjectionTime), MaxEjectionTime, $"{EjectionTime:c} ({nameof(EjectionTime)}) to 01:00:00");
        }

        if (SubsetSize is not 0 and (< 2 or > 10_000)) yield return OptionFailure.OutOfRange(nameof(SubsetSize), SubsetSize, "0 for all, or 2 to 10000");
    }

    /// <summary>Converts validated options to settings of the engine.</summary>
    internal BalancingSettings ToSettings() => new()
    {
        IsRoundRobin = Policy == MuxBalancingPolicy.RoundRobin,
        Zone = Zone,
        ZoneFactor = ZoneFactor,
        SlowStart = Clock.Microseconds(SlowStart),
        SubsetSize = SubsetSize,
        Ejects = EjectFailing,
        EjectionTime = Clock.Microseconds(EjectionTime),
        MaxEjectionTime = Clock.Microseconds(MaxEjectionTime),
    };
}
