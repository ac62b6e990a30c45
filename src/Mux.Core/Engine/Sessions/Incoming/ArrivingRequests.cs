using System.Diagnostics.CodeAnalysis;
using Mux.Protocol;

namespace Mux.Engine;

/// <summary>
/// The requests in fragments that have a deadline and are not whole. The first that takes a request out of here answers it: the turn when it is whole or
/// cancelled, or a tick when its deadline passes. Guarded by the connection's lock.
/// </summary>
internal sealed class ArrivingRequests
{
    private readonly Dictionary<int, PartialRequest> _bySlot = [];
    private readonly DeadlineTable _deadlines = new();
    private readonly Queue<PartialRequest> _expired = new(); // the turn has not dropped these yet

    /// <summary>No deadline passes before this.</summary>
    public long NextDue => _deadlines.NextDue;

    /// <summary>Adds a request after its first fragment.</summary>
    public void Add(PartialRequest request)
    {
        _bySlot[request.Id.Slot] = request;
        _deadlines.Set(request.Id.Slot, request.Start!.Due);
    }

    /// <summary>Takes a request that the turn answers or runs.</summary>
    /// <returns>False if its deadline passed first: then it is answered.</returns>
    public bool TryTake(PartialRequest request) => _bySlot.TryGetValue(request.Id.Slot, out var found) && found == request && _bySlot.Remove(request.Id.Slot);

    /// <summary>
    /// Takes the next expired request, which the caller must answer; null if there is none. Its fragments stay until the turn drops them.
    /// </summary>
    public PartialRequest? Expire(long now)
    {
        Span<int> slot = stackalloc int[1];
        while (_deadlines.NextDue <= now && _deadlines.TakeExpired(now, slot) > 0)
        {
            // An entry may belong to an earlier request of the slot, or to one that was whole in time.
            if (!_bySlot.TryGetValue(slot[0], out var request) || request.Start!.Due > now) continue;
            _bySlot.Remove(slot[0]);
            _expired.Enqueue(request);
            return request;
        }

        return null;
    }

    /// <summary>For the turn: takes the next request that was answered because its deadline had passed.</summary>
    public bool TryTakeExpired([NotNullWhen(true)] out PartialRequest? request) => _expired.TryDequeue(out request);
}

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

/// <summary>A request that arrives in fragments.</summary>
internal sealed class PartialRequest(CallId id, int length, RequestStart start)
    : PartialMessage(FrameKind.Request, id, length, isUnwanted: false, start.Extras?.Held ?? 0)
{
    /// <summary>Content of its first frame.</summary>
    public RequestStart Start => start;
}

/// <summary>The content of the first frame of a request in fragments.</summary>
internal sealed record RequestStart(DefinedMethod Method, RequestHead Head, long Due, InboundExtras? Extras)
{
    /// <summary>Gets the call of the request.</summary>
    /// <param name="replies">Sends the answer.</param>
    /// <param name="id">Id of the call.</param>
    public InboundCall CallOf(ReplyPort replies, CallId id) => new(
        replies, Method.Method, id, (Head.Options & RequestOptions.OneWay) != 0, Due, InTurn: true, Extras: Extras, Ordinal: Head.Ordinal,
        IsForwarded: Head.IsForwarded);
}
