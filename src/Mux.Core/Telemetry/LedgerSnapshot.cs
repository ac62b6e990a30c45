using Mux.Engine;
using Mux.Runtime;

namespace Mux.Telemetry;

/// <summary>
/// Sums a ledger for all instruments of one endpoint. An export reads a dozen of them, and a sum visits every connection and method under a lock that accepting
/// takes as well; so all reads within <see cref="Lifetime"/> share one. Safe for concurrent use.
/// </summary>
internal sealed class LedgerSnapshot(ConnectionLedger ledger, Clock clock)
{
    /// <summary>Microseconds for which a sum is shared.</summary>
    public const long Lifetime = 100_000;

    private readonly Lock _gate = new(); // guards the fields below; others wait for a sum that is being made, and share it
    private LedgerTotals? _totals;
    private long _until;

    /// <summary>Gets the sum, which is not changed any more; at most <see cref="Lifetime"/> old.</summary>
    public LedgerTotals Read()
    {
        lock (_gate)
        {
            long now = clock.Now;
            if (_totals is { } known && now < _until) return known;
            var totals = ledger.Sum();
            (_totals, _until) = (totals, now + Lifetime);
            return totals;
        }
    }

    /// <summary>Has the next reader sum again.</summary>
    public void Forget()
    {
        lock (_gate) _totals = null;
    }
}
