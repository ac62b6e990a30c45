using Mux.Execution;

namespace Mux.Sessions.Streaming;

/// <summary>
/// The streams for which items came and whose consumers were not told yet: they are told once for several items, because each time costs as much as an item.
/// Turn only.
/// </summary>
internal sealed class ItemDeliveries
{
    private readonly Queue<IInboundItems> _streams = new();

    public bool IsEmpty => _streams.Count == 0;

    /// <summary>Items came for a stream that is not in here.</summary>
    public void Add(IInboundItems stream) => _streams.Enqueue(stream);

    /// <summary>Tells the consumers, in the turn. Stops when another thread has gone on with it, which tells the others.</summary>
    public void Run(Turn turn)
    {
        while (!turn.IsLost && _streams.TryDequeue(out var stream)) stream.Publish(turn);
    }

    /// <summary>Tells the consumers that are left elsewhere: the thread of the turn is stuck in one of them. On the thread that goes on.</summary>
    public void RunElsewhere()
    {
        while (_streams.TryDequeue(out var stream)) stream.Publish(null);
    }
}
