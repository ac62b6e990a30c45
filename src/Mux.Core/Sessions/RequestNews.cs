namespace Mux.Sessions;

/// <summary>
/// Collects changes that concern the next request of the peer: a drain was acknowledged, the access of the peer changed, or requests could not be decoded.
/// Guarded by the connection's lock, except <see cref="HasAny"/>.
/// </summary>
internal sealed class RequestNews
{
    private Queue<ushort>? _undecodable; // by ordinal
    private bool _hasAny;

    /// <summary>True if the turn must check. Read for each request, without the lock.</summary>
    public bool HasAny => Volatile.Read(ref _hasAny);

    public void Set() => Volatile.Write(ref _hasAny, true);

    /// <summary>The turn has checked.</summary>
    /// <param name="again">True if it must check again for every request from now on.</param>
    public void Clear(bool again) => Volatile.Write(ref _hasAny, again);

    /// <summary>Adds a request that could not be decoded, by the ordinal of its method.</summary>
    public void AddUndecodable(ushort ordinal)
    {
        (_undecodable ??= new()).Enqueue(ordinal);
        Set();
    }

    /// <summary>Takes the ordinal of a request that could not be decoded.</summary>
    /// <returns>False if none is left.</returns>
    public bool TryTakeUndecodable(out ushort ordinal)
    {
        ordinal = 0;
        return _undecodable is not null && _undecodable.TryDequeue(out ordinal);
    }
}
