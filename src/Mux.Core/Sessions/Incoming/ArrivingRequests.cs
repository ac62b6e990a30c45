using System.Diagnostics.CodeAnalysis;
using Mux.Sessions.Calls;

namespace Mux.Sessions.Incoming;

/// <summary>
/// The requests in fragments that have a deadline and are not whole. Each is answered by whoever takes it out of here first: the turn, when it is whole or
/// given up, or a tick, when its deadline passes. Guarded by the connection's lock.
/// </summary>
internal sealed class ArrivingRequests
{
    private readonly Dictionary<int, PartialRequest> _bySlot = [];
    private readonly DeadlineTable _deadlines = new();
    private readonly Queue<PartialRequest> _expired = new(); // of which the turn has not heard

    /// <summary>No deadline passes before this.</summary>
    public long NextDue => _deadlines.NextDue;

    /// <summary>The first fragment of a request came.</summary>
    public void Add(PartialRequest request)
    {
        _bySlot[request.Id.Slot] = request;
        _deadlines.Set(request.Id.Slot, request.Start!.Due);
    }

    /// <summary>The turn is about to answer the request, or to have it answered.</summary>
    /// <returns>False if its deadline was faster: then it is answered.</returns>
    public bool TryTake(PartialRequest request) => _bySlot.TryGetValue(request.Id.Slot, out var found) && found == request && _bySlot.Remove(request.Id.Slot);

    /// <summary>
    /// The next request whose deadline has passed, for whoever answers it now; null if there is none. What came of it stays until the turn gives it back.
    /// </summary>
    public PartialRequest? Expire(long now)
    {
        Span<int> slot = stackalloc int[1];
        while (_deadlines.NextDue <= now && _deadlines.TakeExpired(now, slot) > 0)
        {
            // An entry may be older than the request that arrives in its slot now, or than one that was whole in time.
            if (!_bySlot.TryGetValue(slot[0], out var request) || request.Start!.Due > now) continue;
            _bySlot.Remove(slot[0]);
            _expired.Enqueue(request);
            return request;
        }

        return null;
    }

    /// <summary>For the turn: the next request that was answered because its deadline had passed.</summary>
    public bool TryTakeExpired([NotNullWhen(true)] out PartialRequest? request) => _expired.TryDequeue(out request);
}
