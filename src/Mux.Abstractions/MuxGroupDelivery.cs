namespace Mux;

/// <summary>What became of the calls of one <c>MuxGroup.SendAsync</c> at the members of this process.</summary>
/// <param name="Reached">Number of members that have the call: it is handed to their connections, or waits in their queues. With several calls, a member counts
/// for each of them.</param>
/// <param name="Missed">The members that missed it, and why; empty if all have it.</param>
public sealed record MuxGroupDelivery(int Reached, IReadOnlyList<MuxMissedMember> Missed);

/// <summary>A member that has missed a call.</summary>
/// <param name="Peer">The member.</param>
/// <param name="Reason">Why it has missed the call.</param>
public readonly record struct MuxMissedMember(MuxPeer Peer, MuxMissReason Reason);
