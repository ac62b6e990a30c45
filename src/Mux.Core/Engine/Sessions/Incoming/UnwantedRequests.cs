using Mux.Protocol;

namespace Mux.Engine;

/// <summary>
/// The rests of requests that were answered before they were whole. Their fragments may still come, and are charged, counted and dropped. Turn only.
/// </summary>
internal sealed class UnwantedRequests(Session session, RequestSlots slots, PeerBudgets budgets, BulkWindow bulk)
{
    private bool _hasAny; // true once there was one: until then no slot is searched

    /// <summary>Gets the rest of the request of a call; null if there is none.</summary>
    public UnwantedRest? Find(CallId id) => _hasAny ? slots.FindUnwanted(id) : null;

    /// <summary>Keeps what follows the first frame of a request that was refused at it.</summary>
    public void Begin(CallId id, int total)
    {
        session.Reassembly.Begun++;
        Keep(id, new UnwantedRest(total));
    }

    /// <summary>Keeps the rest of a request after its call is answered.</summary>
    public void Keep(PartialRequest request) => Keep(request.Id, new UnwantedRest(request));

    /// <summary>Forgets the rest of a request: the peer has cancelled its call.</summary>
    public void Forget(CallId id)
    {
        if (Find(id) is not null) slots.SetUnwanted(id, null);
    }

    /// <summary>Drops a fragment.</summary>
    /// <returns>The rule that it breaks, or null.</returns>
    public ProtocolViolation? OnFragment(FrameHeader header, ReadOnlySpan<byte> payload, UnwantedRest rest)
    {
        budgets.NoteDiscarded();
        var violation = bulk.OnFrame(payload.Length) ?? rest.OnFragment(header, payload.Length);
        if (rest.Left == 0) slots.SetUnwanted(header.Id, null);
        return violation;
    }

    private void Keep(CallId id, UnwantedRest rest)
    {
        if (slots.Find(id) != RequestSlots.Relation.Answered) return; // the connection is over
        slots.SetUnwanted(id, rest);
        _hasAny = true;
    }
}
