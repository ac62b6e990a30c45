using Mux.Connections.Budgets;

namespace Mux.Connections;

/// <summary>What the connections of one server share.</summary>
/// <param name="Handlers">Requests that may be unanswered, of all.</param>
/// <param name="Unsent">Bytes that may wait for peers that take none, of all.</param>
internal sealed record SharedBudgets(HandlerLimit Handlers, UnsentWatch Unsent);
