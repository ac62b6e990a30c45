using Mux.Connections;
using Mux.Contracts;
using Mux.Sessions.Budgets;

namespace Mux.Diagnostics;

/// <summary>A channel or server that metrics are read from.</summary>
/// <param name="Ledger">Its sums.</param>
/// <param name="Methods">The methods it has, for the names; it may grow.</param>
/// <param name="Tag">What tells it from others of its kind: the client's name or the server's address.</param>
internal sealed record MeteredEndpoint(ConnectionLedger Ledger, Func<IEnumerable<MethodDescriptor>> Methods, KeyValuePair<string, object?> Tag)
{
    /// <summary>What its peers make it hold; null where that is not limited.</summary>
    public MemoryBudget? Memory { get; init; }
}
