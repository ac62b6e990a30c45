using Mux.Connections.Budgets;

namespace Mux.Connections;

/// <summary>What the connections of one server share.</summary>
/// <param name="Handlers">Requests that may be unanswered, of all.</param>
/// <param name="Unsent">Bytes that may wait for peers that take none, of all.</param>
/// <param name="Memory">Bytes that peers may make the server hold, of all.</param>
/// <param name="Refused">Told of each call that found one of them used up, outside all locks.</param>
internal sealed record SharedBudgets(HandlerLimit Handlers, UnsentWatch Unsent, MemoryBudget Memory, Action<PeerLimit> Refused)
{
    /// <summary>A call was refused for want of memory.</summary>
    public void OnRefused(MemoryVerdict lack) => Refused(lack == MemoryVerdict.NoRoomForAddress ? PeerLimit.HeldBytesOfAddress : PeerLimit.HeldBytes);
}
