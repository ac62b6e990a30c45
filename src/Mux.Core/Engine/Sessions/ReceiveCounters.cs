namespace Mux.Engine;

/// <summary>
/// Counts what one connection has received. Written by its turn and read by any thread: each number is exact, but they may be read at slightly different times.
/// </summary>
internal sealed class ReceiveCounters
{
    public long Bytes;
    public long Frames;

    /// <summary>Number of batches of deliveries. <see cref="Frames"/> per batch shows how well the peer batches.</summary>
    public long Batches;

    /// <summary>Terminal frames of calls that were cancelled or had expired.</summary>
    public long LateReplies;

    /// <summary>Frames of extension kinds that were skipped.</summary>
    public long SkippedFrames;

    /// <summary>Frames of closed calls that were discarded.</summary>
    public long DiscardedFrames;

    /// <summary>Empty pieces of streams.</summary>
    public long EmptyPieces;
}
