using Mux.Sessions.Budgets;

namespace Mux.Sessions;

/// <summary>What all streams of a connection together may make this side hold: the windows it has granted. Guarded by the connection's lock.</summary>
internal sealed class StreamBudget(long limit)
{
    /// <summary>Granted now.</summary>
    public long Used { get; private set; }

    public long Limit => limit;

    /// <summary>What the connection holds of the memory of its server; null where that is not limited. Set before anything is received.</summary>
    public MemoryShare? Memory { get; set; }

    /// <summary>Why <see cref="TryReserveLocked"/> failed last, where it was not this budget.</summary>
    public MemoryVerdict VerdictLocked { get; private set; }

    /// <summary>Takes all that is asked for, or nothing: the window a stream begins with.</summary>
    public bool TryReserveLocked(long size)
    {
        VerdictLocked = MemoryVerdict.Granted;
        if (Used + size > limit) return false;
        VerdictLocked = Memory?.TryTake(size) ?? MemoryVerdict.Granted;
        if (VerdictLocked != MemoryVerdict.Granted) return false;
        Used += size;
        return true;
    }

    /// <summary>Takes what there is, up to what is asked for.</summary>
    public long TakeLocked(long wanted)
    {
        long taken = Math.Clamp(wanted, 0, Math.Max(0, limit - Used));
        if (taken > 0 && Memory is { } memory && memory.TryTake(taken) != MemoryVerdict.Granted) return 0; // the window does not grow
        Used += taken;
        return taken;
    }

    public void ReleaseLocked(long size)
    {
        Used -= size;
        Memory?.Release(size);
    }

    /// <summary>What the peer is told when <see cref="TryReserveLocked"/> failed.</summary>
    public string DescribeLackLocked(long size) => VerdictLocked != MemoryVerdict.Granted
        ? Memory!.Describe("stream, with a window", size, VerdictLocked)
        : $"The streams of the connection may hold {Used} bytes already; MaxStreamBytes allows {limit}.";
}
