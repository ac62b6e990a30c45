namespace Mux.Engine;

/// <summary>
/// The part of the server's handler limit that is granted to one connection. The usual request costs one comparison: the share grows in portions, and shrinks
/// when others need it (<see cref="HandlerLimit"/>).
/// </summary>
/// <param name="limit">The limit of the server.</param>
/// <param name="requests">The requests of the connection.</param>
/// <param name="address">Grants of all connections of the same address.</param>
internal sealed class HandlerShare(HandlerLimit limit, ICountsRequests requests, AddressShare address)
{
    private const int LackBits = 2;

    private int _granted;
    private int _lack; // a HandlerLack, and above it the requests that ran then: two fields would need more memory

    public AddressShare Address => address;

    /// <summary>Requests granted. Written under the lock of <see cref="HandlerLimit"/>.</summary>
    public int Granted
    {
        get => Volatile.Read(ref _granted);
        set => Volatile.Write(ref _granted, value);
    }

    /// <summary>
    /// What prevented the last request that got no handler, and how many of the connection ran then. Written under the
    /// lock of <see cref="HandlerLimit"/>, and read for messages without it.
    /// </summary>
    public (HandlerLack Reason, int Running) Lack
    {
        get
        {
            int lack = Volatile.Read(ref _lack);
            return ((HandlerLack)(lack & ((1 << LackBits) - 1)), lack >> LackBits);
        }
        set => Volatile.Write(ref _lack, (int)value.Reason | (value.Running << LackBits));
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

    /// <summary>Counts a request that is refused because no handler is left for it.</summary>
    public void OnRefused() => limit.OnRefused(Lack.Reason);

    /// <summary>
    /// Counts a request that is refused because those that wait for handlers hold as many bytes as they may.
    /// </summary>
    public void OnParkingFull() => limit.OnRefused(HandlerLack.ParkedBytes);

    /// <summary>Returns all grants. Called when the connection is gone.</summary>
    public void Leave() => limit.Remove(this);
}

/// <summary>Why a connection gets no handler for one more request.</summary>
internal enum HandlerLack
{
    /// <summary>All handlers of the server are in use.</summary>
    All,

    /// <summary>Some are free, and kept for connections or addresses that have fewer.</summary>
    Share,

    /// <summary>The connections of its address have as many as they may.</summary>
    Address,

    /// <summary>Requests of the connection wait for handlers already, and hold as many bytes as they may.</summary>
    ParkedBytes,
}
