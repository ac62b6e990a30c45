using Mux.Runtime;

namespace Mux.Engine;

/// <summary>
/// Streams that have received items but not notified their consumers yet. A consumer is notified once for several items, because each notification costs as
/// much as an item. Turn only.
/// </summary>
internal sealed class ItemDeliveries
{
    private Queue<IInboundItems>? _streams; // created by the first item

    public bool IsEmpty => _streams is not { Count: > 0 };

    /// <summary>Adds a stream that is not listed yet.</summary>
    public void Add(IInboundItems stream) => (_streams ??= new()).Enqueue(stream);

    /// <summary>Notifies the consumers, in the turn. Stops when another thread has continued the turn, which notifies the rest.</summary>
    public void Run(Turn turn)
    {
        while (!turn.IsLost && _streams is not null && _streams.TryDequeue(out var stream)) stream.Publish(turn);
    }

    /// <summary>Notifies the remaining consumers elsewhere: the thread of the turn is stuck in one of them. On the thread that continues.</summary>
    public void RunElsewhere()
    {
        while (_streams is not null && _streams.TryDequeue(out var stream)) stream.Publish(null);
    }
}
