using Mux.Calls;

namespace Mux;

/// <summary>
/// Decides which failed calls a channel sends again, and which calls it sends a second time while they take long. Part of <see cref="MuxChannelOptions"/>; read
/// when the channel is created.
/// </summary>
/// <remarks>
/// <para>A call is sent again in these cases:</para>
/// <list type="bullet">
/// <item>Nothing of it was sent, because the connection was lost or could not be opened.</item>
/// <item>The server has refused it before its handler ran, with <see cref="MuxStatus.Unavailable"/> or
/// <see cref="MuxStatus.ResourceExhausted"/>: once; of several servers, as often as they say when to come back, up to
/// half a minute.</item>
/// <item>It is idempotent (<see cref="MuxChoicesAttribute.Idempotent"/> or <see cref="MuxCallOptions.Idempotent"/>), may have been executed, and has failed
/// with <see cref="MuxStatus.Unavailable"/> or one of <see cref="MuxMethodResilience.Statuses"/>.</item>
/// </list>
/// <para>Between two attempts is a random pause: up to 25 ms, then 50 ms, 100 ms and so on up to 1 s; or the time for which the server has asked, plus up to a
/// fifth. A call whose deadline comes before the end of the pause fails at once. A call with a response stream is sent again until its first item has arrived,
/// a call with a request stream until the first item is asked for. One-way calls are never sent again.</para>
/// <para>A channel has a budget: within 10 seconds, at most 10 attempts more than a tenth of the calls that were started. When it is empty, calls fail as
/// without these options. Calls that a handler makes for a call that is a retry are not sent again, so that retries of several services do not multiply.</para>
/// </remarks>
public sealed class MuxResilience
{
    internal const int MostAttempts = 10;

    /// <summary>Gets or sets the maximum number of times that a call is sent, the first time included.</summary>
    /// <value>1 to 10; 1 by default, which means that no failed call is sent again.</value>
    public int Attempts { get; set; } = 1;

    /// <summary>
    /// Gets or sets when a second copy of an idempotent unary call is sent while the first one is open: to another server if there are several. The first reply
    /// ends the call, and the other copy is cancelled. Copies are charged to the same budget as retries.
    /// </summary>
    /// <value><see cref="MuxHedge.Off"/> by default. Calls of methods with another value allocate, and their continuations run on the .NET thread
    /// pool.</value>
    public MuxHedge Hedge { get; set; }

    /// <summary>
    /// Gets or sets how long calls that were not sent wait for a server that was reached before and is lost: one that restarts is back within a second or two.
    /// The time begins with the first call that finds no server. When it is over, these calls fail (<see cref="MuxStatus.Unavailable"/>, not executed), and
    /// later ones at the next attempt to connect, until a server was reached again.
    /// </summary>
    /// <remarks>
    /// Such calls have their deadlines and tokens, and count among the bytes of <see cref="MuxChannelOptions.MaxQueuedBytes"/>. Nothing is sent twice: calls of
    /// which anything was sent fail as without this option. No call waits on a channel that has never reached a server, or with
    /// <see cref="MuxConnectionLifetime.PerCall"/>.
    /// </remarks>
    /// <value>0 to 1 minute. 0 by default, which is for not at all; 2 s for clients of a host (<c>AddMuxClient</c>).</value>
    public TimeSpan HoldTime { get; set; }

    /// <summary>Gets the options of single methods, by full name, such as <c>shop.Orders/Find</c>. Upper and lower case are distinguished.</summary>
    /// <value>Empty by default.</value>
    public IDictionary<string, MuxMethodResilience> Methods { get; } = new Dictionary<string, MuxMethodResilience>(StringComparer.Ordinal);

    /// <summary>Finds all options that are invalid.</summary>
    /// <returns>One failure for each invalid option, with its name, its value and the allowed values.</returns>
    public IEnumerable<OptionFailure> Validate()
    {
        if (Attempts is < 1 or > MostAttempts) yield return OptionFailure.OutOfRange(nameof(Attempts), Attempts, $"1 to {MostAttempts}");
        if (!Enum.IsDefined(Hedge)) yield return OptionFailure.OutOfRange(nameof(Hedge), Hedge, "Off or P95");
        if (HoldTime < TimeSpan.Zero || HoldTime > TimeSpan.FromMinutes(1))
            yield return OptionFailure.OutOfRange(nameof(HoldTime), HoldTime, "00:00:00 to 00:01:00");
        foreach (var (name, method) in Methods)
        {
            int slash = name.IndexOf('/', StringComparison.Ordinal);
            if (slash <= 0 || slash == name.Length - 1)
                yield return new OptionFailure(nameof(Methods), $"'{name}' is no full name of a method: expected service/method, such as shop.Orders/Find.");
            if (method is null) yield return new OptionFailure($"{nameof(Methods)}:{name}", "null is not allowed: expected the options of the method.");
            foreach (var failure in method?.Validate() ?? [])
                yield return failure with { Option = $"{nameof(Methods)}:{name}:{failure.Option}" };
        }
    }

    internal CallPolicies ToPolicies() =>
        new(new CallPolicy { Attempts = Attempts, Hedges = Hedge != MuxHedge.Off },
            Methods.ToDictionary(entry => entry.Key, entry => Of(entry.Value), StringComparer.Ordinal));

    private CallPolicy Of(MuxMethodResilience method) => new()
    {
        Attempts = method.Attempts ?? Attempts,
        Hedges = (method.Hedge ?? Hedge) != MuxHedge.Off,
        Statuses = method.Statuses ?? CallPolicy.DefaultStatuses,
    };
}
