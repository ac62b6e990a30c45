namespace Mux.Sessions.Budgets;

/// <summary>
/// How many requests of one connection may be unanswered, of those that the server may run in all. A request costs a comparison: the share grows in portions,
/// and shrinks when others need it (<see cref="HandlerLimit"/>).
/// </summary>
/// <param name="limit">Of the server.</param>
/// <param name="requests">Of the connection.</param>
/// <param name="address">What it shares with others of its address; null where that does not count.</param>
internal sealed class HandlerShare(HandlerLimit limit, ICountsRequests requests, AddressShare? address)
{
    private int _granted;

    public AddressShare? Address => address;

    /// <summary>Its part. Written under the lock of <see cref="HandlerLimit"/>.</summary>
    public int Granted
    {
        get => Volatile.Read(ref _granted);
        set => Volatile.Write(ref _granted, value);
    }

    /// <summary>Requests that are not answered.</summary>
    public int Open => requests.OpenCount;

    /// <summary>Whether one more may run, beside those that are open already. Turn only.</summary>
    /// <param name="openNow">With the one that is asked for.</param>
    /// <param name="now">The time.</param>
    public bool TryRun(int openNow, long now) => openNow <= Granted || limit.TryGrow(this, openNow, now);

    /// <summary>The connection is gone, and nothing more is asked for.</summary>
    public void Leave() => limit.Remove(this);
}
