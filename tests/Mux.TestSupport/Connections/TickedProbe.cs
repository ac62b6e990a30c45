using Mux.Runtime;

namespace Mux.TestSupport.Connections;

/// <summary>Counts its ticks.</summary>
internal sealed class TickedProbe : ITicked
{
    private long _nextDue = Clock.Never;
    private int _ticks;

    /// <summary>How long after a tick the next is due; never by default.</summary>
    public long Every { get; init; } = Clock.Never;

    public int Ticks => Volatile.Read(ref _ticks);

    public long NextDue
    {
        get => Volatile.Read(ref _nextDue);
        set => Volatile.Write(ref _nextDue, value);
    }

    public void OnTick(long now)
    {
        Interlocked.Increment(ref _ticks);
        NextDue = Clock.After(now, Every);
    }
}
