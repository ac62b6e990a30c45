using Microsoft.Extensions.Logging;
using Mux.Engine;
using Mux.Runtime;
using Mux.Telemetry;

namespace Mux;

/// <summary>The budgets that the connections of a channel share as far as servers call it.</summary>
internal static class ClientBudgets
{
    /// <summary>Most handlers that the connections of one channel run: more than one server may have open, and few enough for a client's machine.</summary>
    public const long MaxHandlers = 1_000;

    /// <summary>Creates the budgets of one channel.</summary>
    /// <param name="channel">The name of the channel.</param>
    /// <param name="ledger">Counts what is refused.</param>
    /// <param name="clock">Decides how often it is logged.</param>
    /// <param name="logger">Gets a warning at most once a second.</param>
    public static SharedBudgets Create(string channel, ConnectionLedger ledger, Clock clock, ILogger logger)
    {
        var log = new RateLimit();
        var handlers = new HandlerLimit(MaxHandlers, _ => OnRefused(PeerLimit.RunningHandlers));
        return new SharedBudgets(handlers, Stalls: null, Memory: null, OnRefused);

        void OnRefused(PeerLimit limit)
        {
            ledger.CountLimit(limit);
            if (log.TryPass(clock.Now, out int others)) ClientLog.CallsRefused(logger, channel, MaxHandlers, others);
        }
    }
}
