namespace Mux.Sessions.Budgets;

/// <summary>
/// The part of the server's handler limit that is granted to one connection. The usual request costs one comparison: the share grows in portions, and shrinks
/// when others need it (<see cref="HandlerLimit"/>).
/// </summary>
/// <param name="limit">The limit of the server.</param>
/// <param name="requests">The requests of the connection.</param>
/// <param name="address">Grants of all connections of the same address; null if its address does not count.</param>
internal sealed class HandlerShare(HandlerLimit limit, ICountsRequests requests, AddressShare? address)
{
    private int _granted;

    public AddressShare? Address => address;

    /// <summary>Requests granted. Written under the lock of <see cref="HandlerLimit"/>.</summary>
    public int Granted
    {
        get => Volatile.Read(ref _granted);
        set => Volatile.Write(ref _granted, value);
    }

    /// <summary>Requests that are not answered.</summary>
    public int Open => requests.OpenCount;

    /// <summary>True if one more request may run. Turn only.</summary>
    /// <param name="openNow">Open requests, including the new one.</param>
    /// <param name="now">The current time.</param>
    public bool TryRun(int openNow, long now) => openNow <= Granted || limit.TryGrow(this, openNow, now);

    /// <summary>Returns all grants. Called when the connection is gone.</summary>
    public void Leave() => limit.Remove(this);
}
