namespace Mux.Sessions.Budgets;

/// <summary>
/// The part of the server's handler limit that is granted to one connection. The usual request costs one comparison: the share grows in portions, and shrinks
/// when others need it (<see cref="HandlerLimit"/>).
/// </summary>
/// <param name="limit">The limit of the server.</param>
/// <param name="requests">The requests of the connection.</param>
/// <param name="address">Grants of all connections of the same address.</param>
internal sealed class HandlerShare(HandlerLimit limit, ICountsRequests requests, AddressShare address)
{
    private int _granted;

    public AddressShare Address => address;

    /// <summary>Requests granted. Written under the lock of <see cref="HandlerLimit"/>.</summary>
    public int Granted
    {
        get => Volatile.Read(ref _granted);
        set => Volatile.Write(ref _granted, value);
    }

    /// <summary>Requests that run or are about to.</summary>
    public int Running => requests.RunningCount;

    /// <summary>True if one more request may run.</summary>
    /// <param name="running">Requests that run, including the new one.</param>
    /// <param name="now">The current time.</param>
    /// <remarks>
    /// The turn asks for the requests that arrive, and another thread for those that waited. If both ask at once, each may see only its own: one request too
    /// many runs until the next one asks, which asks for all of them.
    /// </remarks>
    public bool TryResume(int running, long now) => running <= Granted || limit.TryGrow(this, running, now);

    /// <summary>Counts a request that is refused.</summary>
    public void OnRefused() => limit.OnRefused();

    /// <summary>Returns all grants. Called when the connection is gone.</summary>
    public void Leave() => limit.Remove(this);
}
