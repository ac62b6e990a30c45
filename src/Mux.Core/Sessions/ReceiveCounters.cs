namespace Mux.Sessions;

/// <summary>What one connection has received. Written by its turn only and read by anybody: each number is true, their sum may be a moment apart.</summary>
internal sealed class ReceiveCounters
{
    public long Bytes;
    public long Frames;

    /// <summary>Batches of deliveries: what <see cref="Frames"/> is divided by to see how well the peer batches.</summary>
    public long Batches;

    /// <summary>Terminal frames of calls that were given up before.</summary>
    public long LateReplies;

    /// <summary>Frames of extension kinds that were skipped.</summary>
    public long SkippedFrames;

    /// <summary>Frames of closed calls that were discarded.</summary>
    public long DiscardedFrames;

    /// <summary>Pieces of streams with nothing in them.</summary>
    public long EmptyPieces;
}
