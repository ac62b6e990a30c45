namespace Mux.Runtime;

/// <summary>Permit for one polling loop: a second one would take a core from the code that is to send what the first one waits for.</summary>
internal sealed class PollPlace
{
    /// <summary>The permit that all loops of the process share.</summary>
    public static readonly PollPlace OfProcess = new();

    private int _taken;

    public bool TryTake() => Volatile.Read(ref _taken) == 0 && Interlocked.Exchange(ref _taken, 1) == 0;

    public void Leave() => Volatile.Write(ref _taken, 0);
}
