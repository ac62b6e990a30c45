using Mux.Connections;
using Mux.Diagnostics;
using Mux.Sessions.Budgets;

namespace Mux.Serving;

/// <summary>
/// Counts what the limits of one server did, and tells it once a second for each: a crowd that comes again and again must not fill the logs. Safe for
/// concurrent use.
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

    /// <summary>A connection was ended.</summary>
    public void OnCutOff(string remoteAddress, PeerLimit limit, string text)
    {
        ledger.CountLimit(limit);
        if (TryPass(limit, out int others)) ServerLog.PeerCutOff(settings.Logger, remoteAddress, limit, text, others);
    }

    /// <summary>A call was refused because of what others hold.</summary>
    public void OnCallRefused(PeerLimit limit)
    {
        ledger.CountLimit(limit);
        if (TryPass(limit, out int others)) ServerLog.CallsRefused(settings.Logger, DescribeRefusal(limit), others);
    }

    private bool TryPass(PeerLimit limit, out int others) => _passes[(int)limit].TryPass(settings.Clock.Now, out others);

    private string DescribeRefusal(PeerLimit limit) => limit switch
    {
        PeerLimit.HeldBytes => $"peers make the server hold as much as Limits.MaxHeldBytes allows, {settings.MaxHeldBytes} bytes, or one connection its " +
            $"share of that",
        PeerLimit.HeldBytesOfAddress =>
            $"peers of one address make the server hold as much as Limits.MaxHeldBytesPerAddress allows, {settings.MaxHeldBytesPerAddress} bytes",
        _ => $"their connection, or its address, has its share of the {settings.MaxHandlers} that are answered at a time (Limits.MaxHandlers, " +
            $"Limits.MaxHandlersPerAddress)",
    };

    private string Describe(PeerLimit limit, int open) => limit switch
    {
        PeerLimit.PendingHandshakes => $"Limits.MaxPendingHandshakes is {settings.Pending.Limit}, and as many have not finished their handshake.",
        PeerLimit.PendingHandshakesOfAddress =>
            $"Limits.MaxPendingHandshakesPerAddress is {settings.Pending.PerAddress}, and as many of its address have not finished their handshake.",

        // A peer that leaves while its handlers run keeps its place, else it would come back and begin as many again.
        _ => $"MaxConnections is {settings.MaxConnections}; open are {open}, gone with handlers that still run are {settings.MaxConnections - open}.",
    };
}
