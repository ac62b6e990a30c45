namespace Mux.Engine;

/// <summary>Limits what all streams of a connection make this side hold: the windows it has granted. Guarded by the connection's lock.</summary>
internal sealed class StreamBudget(long limit)
{
    /// <summary>Bytes granted now.</summary>
    public long Used { get; private set; }

    public long Limit => limit;

    /// <summary>The connection's share of the server's memory; null if that is not limited. Set before anything is received.</summary>
    public MemoryShare? Memory { get; set; }

    /// <summary>The reason of the last failure of <see cref="TryReserve"/>, if it was not this budget.</summary>
    public MemoryVerdict Verdict { get; private set; }

    /// <summary>Takes the whole size or nothing: the first window of a stream.</summary>
    public bool TryReserve(long size)
    {
        Verdict = MemoryVerdict.Granted;
        if (Used + size > limit) return false;
        Verdict = Memory?.TryTake(size) ?? MemoryVerdict.Granted;
        if (Verdict != MemoryVerdict.Granted) return false;
        Used += size;
        return true;
    }

    /// <summary>Takes up to the wanted size.</summary>
    public long Take(long wanted)
    {
        long taken = Math.Clamp(wanted, 0, Math.Max(0, limit - Used));
        if (taken > 0 && Memory is { } memory && memory.TryTake(taken) != MemoryVerdict.Granted) return 0; // the window does not grow
        Used += taken;
        return taken;
    }

    public void Release(long size)
    {
        Used -= size;
        Memory?.Release(size);
    }

    /// <summary>Gets the message for the peer after <see cref="TryReserve"/> failed.</summary>
    /// <param name="size">The size of the window.</param>
    /// <param name="side">What this side is, such as a server.</param>
    public string DescribeLack(long size, string side) => Verdict != MemoryVerdict.Granted
        ? Memory!.Describe("stream, with a window", size, Verdict)
        : $"The open streams of the connection reserve {Used} bytes at the {side}, whose MaxStreamBytes allows {limit} for one connection. Open fewer " +
          $"streams on it, raise MinConnections of the caller, or raise MaxStreamBytes of the {side}.";
}
