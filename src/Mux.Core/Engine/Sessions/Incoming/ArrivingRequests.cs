using System.Diagnostics.CodeAnalysis;

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
