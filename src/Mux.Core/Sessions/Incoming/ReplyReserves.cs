using System.Numerics;
using Mux.Sessions.Budgets;
using Mux.Wire;

namespace Mux.Sessions.Incoming;

/// <summary>
/// Reserves memory of the server for the large replies of one connection before their handlers start, as much as the
/// method's last ones took: a reply is never refused, so no more handlers may run than their replies have room for.
/// Keeps the requests that must wait for that. What is reserved is not held: it keeps nothing out but such requests.
/// </summary>
/// <remarks>Guarded by the connection's lock.</remarks>
internal sealed class ReplyReserves(Session session, MemoryShare memory)
{
    private readonly Dictionary<CallId, long> _reserved = [];
    private readonly Queue<(IDeferredRequest Request, CallId Id, long Bytes)> _waiting = [];
    private long _total; // of what is reserved

    /// <summary>Number of requests that wait. Any thread.</summary>
    public int Count => _waiting.Count;

    /// <summary>True if the first of them may run.</summary>
    public bool HasNextLocked => _waiting.TryPeek(out var next) && memory.MayReserve(next.Bytes, _total);

    /// <summary>Reserves memory for the reply of a request that is about to run, or keeps the request.</summary>
    /// <param name="request">The request.</param>
    /// <param name="id">Its call.</param>
    /// <param name="length">Length of the reply that is expected.</param>
    /// <returns>False if it may run.</returns>
    public bool TryDeferLocked(IDeferredRequest request, CallId id, int length)
    {
        session.AssertLocked();
        if (_reserved.ContainsKey(id)) return false; // it has waited before
        long bytes = (long)BitOperations.RoundUpToPowerOf2((ulong)length); // as the array of the reply
        if (_waiting.Count == 0 && TryReserveLocked(id, bytes)) return false;
        _waiting.Enqueue((request, id, bytes));
        return true;
    }

    /// <summary>Takes the oldest request that waits, with its memory; null if there is none, or no memory.</summary>
    public IDeferredRequest? TakeLocked()
    {
        session.AssertLocked();
        if (!_waiting.TryPeek(out var next) || !TryReserveLocked(next.Id, next.Bytes)) return null;
        _waiting.Dequeue();
        return next.Request;
    }

    /// <summary>A call is answered: its reply, if it is large, is held from now on.</summary>
    public void ReleaseLocked(CallId id)
    {
        session.AssertLocked();
        if (!_reserved.Remove(id, out long bytes)) return;
        _total -= bytes;
        memory.Unreserve(bytes);
    }

    /// <summary>The connection is over, or no request of it is answered any more: takes the next request that waits, and returns all memory.</summary>
    public IDeferredRequest? EndLocked()
    {
        session.AssertLocked();
        memory.Unreserve(_total);
        _total = 0;
        _reserved.Clear();
        return _waiting.TryDequeue(out var next) ? next.Request : null;
    }

    private bool TryReserveLocked(CallId id, long bytes)
    {
        session.AssertLocked();
        if (!memory.TryReserve(bytes, _total)) return false;
        _total += bytes;
        _reserved.Add(id, bytes);
        return true;
    }
}
