using Mux.Wire;

namespace Mux.Sessions.Budgets;

/// <summary>A peer used up a budget: nothing it sent is against the rules, only too much of it.</summary>
/// <param name="Code">What GOAWAY says.</param>
/// <param name="Text">For the log and the peer.</param>
/// <param name="Limit">Which budget it was.</param>
internal sealed record BudgetBreach(ConnectionCode Code, string Text, PeerLimit Limit) : ProtocolViolation(Code, Text);
