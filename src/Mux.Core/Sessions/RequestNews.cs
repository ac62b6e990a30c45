namespace Mux.Sessions;

/// <summary>
/// What concerns the next request of the peer and was not known at the last one: the drain was acknowledged, somebody else is at the other end, or requests
/// could not be decoded. Written under the connection's lock.
/// </summary>
internal sealed class RequestNews
{
    private Queue<ushort>? _undecodable; // by ordinal
    private bool _hasAny;

    /// <summary>Whether the turn has to look. Asked for each request, without the lock.</summary>
    public bool HasAny => Volatile.Read(ref _hasAny);

    public void SetLocked() => Volatile.Write(ref _hasAny, true);

    /// <summary>The turn looks.</summary>
    /// <param name="again">Whether it has to for each request from now on.</param>
    public void ClearLocked(bool again) => Volatile.Write(ref _hasAny, again);

    /// <summary>A request of the method with this ordinal could not be decoded.</summary>
    public void AddUndecodableLocked(ushort ordinal)
    {
        (_undecodable ??= new()).Enqueue(ordinal);
        SetLocked();
    }

    /// <summary>The ordinal of a request that could not be decoded.</summary>
    /// <returns>False if there is none left.</returns>
    public bool TryTakeUndecodableLocked(out ushort ordinal)
    {
        ordinal = 0;
        return _undecodable is not null && _undecodable.TryDequeue(out ordinal);
    }
}
