using Mux.Protocol;

namespace Mux.Engine;

/// <summary>
/// Collects under the connection's lock what must happen outside it: calls to owners, links and user code. <see cref="Session.Complete"/> carries it out.
/// </summary>
internal struct Aftermath
{
    /// <summary>Outcomes of calls, to be delivered.</summary>
    public CallOutcomes Outcomes;

    /// <summary>The connection has opened: calls may run.</summary>
    public bool Opened;

    /// <summary>This side starts a drain on its own: it accepts and makes no further calls.</summary>
    public bool BeginsDrain;

    /// <summary>The end of the connection.</summary>
    public ConnectionEnd? Ended;

    /// <summary>Unsent calls that go back to the owner, linked by <see cref="OutgoingCall.Next"/>.</summary>
    public OutgoingCall? Withdrawn;

    /// <summary>Calls that the connection had not sent when it ended, linked by <see cref="OutgoingCall.Next"/>: the owner may send them elsewhere.</summary>
    public OutgoingCall? Unsent;

    /// <summary>The failure of <see cref="Unsent"/> calls that are not sent elsewhere.</summary>
    public CallFailure? UnsentFailure;

    /// <summary>Blocks to send. The thread that holds this aftermath is the sender.</summary>
    public OutboundBlock? Batch;

    /// <summary>Everything is sent: end the sending direction.</summary>
    public bool EndSending;

    /// <summary>Close the link.</summary>
    public bool CloseLink;

    /// <summary>True if there is nothing to do.</summary>
    public readonly bool IsEmpty => !ConcernsOwner && Batch is null && !EndSending && !CloseLink && Outcomes.IsEmpty;

    /// <summary>True if there are only bytes to send.</summary>
    public readonly bool SendsOnly => Batch is not null && !ConcernsOwner && !CloseLink && Outcomes.IsEmpty;

    /// <summary>True if the owner must be notified.</summary>
    public readonly bool ConcernsOwner => Opened || BeginsDrain || Ended is not null || Withdrawn is not null || Unsent is not null;
}

/// <summary>
/// Collects changes that concern the next request of the peer: a drain was acknowledged, the access of the peer changed, requests could not be decoded, or the
/// service behind a gateway does not have their method. Guarded by the connection's lock, except <see cref="HasAny"/>.
/// </summary>
internal sealed class RequestNews
{
    private Queue<(ushort Ordinal, byte Weight)>? _undecodable; // neither has more than calls may be open: the next request empties them
    private Queue<ushort>? _absent; // by ordinal
    private bool _hasAny;

    /// <summary>True if the turn must check. Read for each request, without the lock.</summary>
    public bool HasAny => Volatile.Read(ref _hasAny);

    public void Set() => Volatile.Write(ref _hasAny, true);

    /// <summary>The turn has checked.</summary>
    /// <param name="again">True if it must check again for every request from now on.</param>
    public void Clear(bool again) => Volatile.Write(ref _hasAny, again);

    /// <summary>Adds a request that could not be decoded.</summary>
    /// <param name="ordinal">The ordinal of its method.</param>
    /// <param name="weight">0 if the peer has made it; otherwise what it takes of the budget for requests that a gateway forwards.</param>
    public void AddUndecodable(ushort ordinal, byte weight)
    {
        (_undecodable ??= new()).Enqueue((ordinal, weight));
        Set();
    }

    /// <summary>Takes a request that could not be decoded.</summary>
    /// <returns>False if none is left.</returns>
    public bool TryTakeUndecodable(out ushort ordinal, out byte weight)
    {
        (ushort Ordinal, byte Weight) taken = default;
        bool isTaken = _undecodable is not null && _undecodable.TryDequeue(out taken);
        (ordinal, weight) = taken;
        return isTaken;
    }

    /// <summary>Adds a request whose method the service behind this gateway does not have.</summary>
    public void AddAbsent(ushort ordinal)
    {
        (_absent ??= new()).Enqueue(ordinal);
        Set();
    }

    /// <summary>Takes the ordinal of a method that the service behind this gateway does not have.</summary>
    /// <returns>False if none is left.</returns>
    public bool TryTakeAbsent(out ushort ordinal)
    {
        ordinal = 0;
        return _absent is not null && _absent.TryDequeue(out ordinal);
    }
}
