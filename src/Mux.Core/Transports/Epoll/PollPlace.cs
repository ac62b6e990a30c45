namespace Mux.Transports.Epoll;

/// <summary>Room for one loop that polls: a second one would take a core from whoever is to send what the first one waits for.</summary>
internal sealed class PollPlace
{
    /// <summary>That of all loops of the process.</summary>
    public static readonly PollPlace OfProcess = new();

    private int _taken;

    public bool TryTake() => Volatile.Read(ref _taken) == 0 && Interlocked.Exchange(ref _taken, 1) == 0;

    public void Leave() => Volatile.Write(ref _taken, 0);
}
