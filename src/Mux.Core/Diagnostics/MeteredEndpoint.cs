using Mux.Connections;
using Mux.Contracts;
using Mux.Sessions.Budgets;

namespace Mux.Diagnostics;

/// <summary>A channel or server with metrics.</summary>
/// <param name="Ledger">Its totals.</param>
/// <param name="Methods">Gets its methods, for their names; the list may grow.</param>
/// <param name="Tag">Tag that distinguishes it from others of its kind: the client's name or the server's address.</param>
internal sealed record MeteredEndpoint(ConnectionLedger Ledger, Func<IEnumerable<MethodDescriptor>> Methods, KeyValuePair<string, object?> Tag)
{
    /// <summary>Memory that its peers make it hold; null if that is not limited.</summary>
    public MemoryBudget? Memory { get; init; }
}
