using Mux.Engine;
using Mux.Telemetry;

namespace Mux.Server;

/// <summary>
/// Counts what the limits of one server refuse, and logs it at most once a second for each limit: peers that come again and again must not fill the logs. Safe
/// for concurrent use.
/// </summary>
internal sealed class LimitLog(ConnectionLedger ledger, ServerSettings settings)
{
    private readonly RateLimit[] _passes = [.. Enum.GetValues<PeerLimit>().Select(_ => new RateLimit())];

    /// <summary>A connection was closed when it was accepted.</summary>
    public void OnRejected(string remoteAddress, PeerLimit limit, int open)
    {
        ledger.CountLimit(limit);
        if (TryPass(limit, out int others)) ServerLog.ConnectionRefused(settings.Logger, remoteAddress, Describe(limit, open), others);
    }

    /// <summary>A connection was ended by a limit.</summary>
    public void OnCutOff(string remoteAddress, PeerLimit limit, string text)
    {
        ledger.CountLimit(limit);
        if (TryPass(limit, out int others)) ServerLog.PeerCutOff(settings.Logger, remoteAddress, limit, text, others);
    }

    /// <summary>A call was refused because others hold what it needs.</summary>
    public void OnCallRefused(PeerLimit limit)
    {
        ledger.CountLimit(limit);
        if (limit == PeerLimit.QueueTime) return; // an overload is logged when it begins and when it is over
        if (TryPass(limit, out int others)) ServerLog.CallsRefused(settings.Logger, DescribeRefusal(limit), others);
    }

    /// <summary>A call was refused for lack of a handler.</summary>
    public void OnHandlerRefused(HandlerLack lack)
    {
        ledger.CountLimit(PeerLimit.RunningHandlers);
        if (!TryPass(PeerLimit.RunningHandlers, out int others)) return;
        ServerLog.CallsRefused(settings.Logger, Describe(lack), others);
    }

    private bool TryPass(PeerLimit limit, out int others) => _passes[(int)limit].TryPass(settings.Clock.Now, out others);

    private string DescribeRefusal(PeerLimit limit) => limit switch
    {
        PeerLimit.HeldBytes => $"peers hold as much server memory as Limits.MaxHeldBytes allows ({settings.MaxHeldBytes} bytes), or one connection holds " +
            "its share of it",
        PeerLimit.HeldBytesOfAddress =>
            $"the peers of one address hold as much server memory as Limits.MaxHeldBytesPerAddress allows ({settings.MaxHeldBytesPerAddress} bytes)",
        _ => "the connection of one client has used up its share of what the gateway has open at a service (MaxCalls " +
            "and MaxRequestStreams of the route)",
    };

    private string Describe(HandlerLack lack) => lack switch
    {
        HandlerLack.All => $"the server runs as many handlers as Limits.MaxHandlers allows ({settings.MaxHandlers})",
        HandlerLack.Share => $"one connection has its share of the {settings.MaxHandlers} handlers that the server " +
            "runs at most (Limits.MaxHandlers), and the rest is in use or kept for others",
        HandlerLack.Address => "the connections of one address have as many handlers as Limits.MaxHandlersPerAddress " +
            $"allows ({settings.MaxHandlersPerAddress})",
        _ => $"requests of one connection wait for handlers ({HandlerLimits}), and fill MaxParkedBytes ({settings.Connection.ParkedLimit} bytes)",
    };

    private string HandlerLimits => string.Join(
        ", ",
        new[] { ("Limits.MaxHandlers", settings.MaxHandlers), ("Limits.MaxHandlersPerAddress", settings.MaxHandlersPerAddress) }
            .Where(static limit => limit.Item2 != BudgetLimits.Unbounded)
            .Select(static limit => $"{limit.Item1} is {limit.Item2}"));

    /// <summary>Describes a limit that refuses connections.</summary>
    /// <param name="limit">The limit.</param>
    /// <param name="open">Number of open connections.</param>
    public string Describe(PeerLimit limit, int open) => limit switch
    {
        PeerLimit.PendingHandshakes => $"Limits.MaxPendingHandshakes is {settings.Pending.Limit}, and as many connections have not finished their handshake.",
        PeerLimit.PendingHandshakesOfAddress =>
            $"Limits.MaxPendingHandshakesPerAddress is {settings.Pending.PerAddress}, and as many connections of its address have not finished their " +
            "handshake.",

        // A peer that leaves while its handlers run keeps its place: otherwise it would return and start as many again.
        _ => $"MaxConnections is {settings.MaxConnections}; {open} connections are open, and {settings.MaxConnections - open} have ended whose handlers " +
            "still run.",
    };
}
