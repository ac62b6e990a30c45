using Mux.Sessions.Budgets;

namespace Mux.Sessions.Setup;

/// <summary>What the connections of one server share.</summary>
/// <param name="Handlers">Requests that may be unanswered, of all.</param>
/// <param name="Stalls">Told of peers that take no bytes.</param>
/// <param name="Memory">Bytes that peers may make the server hold, of all.</param>
/// <param name="Refused">Told of each call that found one of them used up, outside all locks.</param>
internal sealed record SharedBudgets(HandlerLimit Handlers, IStallWatch Stalls, MemoryBudget Memory, Action<PeerLimit> Refused)
{
    /// <summary>A call was refused for want of memory.</summary>
    public void OnRefused(MemoryVerdict lack) => Refused(lack == MemoryVerdict.NoRoomForAddress ? PeerLimit.HeldBytesOfAddress : PeerLimit.HeldBytes);
}
