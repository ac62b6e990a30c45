namespace Mux.Engine;

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
