using Mux.Protocol;

namespace Mux.Engine;

/// <summary>A peer used up a budget: each frame obeys the rules, but there are too many of them.</summary>
/// <param name="Code">The code that GOAWAY carries.</param>
/// <param name="Text">Message for the log and the peer.</param>
/// <param name="Limit">The budget that is used up.</param>
internal sealed record BudgetBreach(ConnectionCode Code, string Text, PeerLimit Limit) : ProtocolViolation(Code, Text);
