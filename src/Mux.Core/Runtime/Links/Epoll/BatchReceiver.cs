using Mux.Transports;

namespace Mux.Runtime;

/// <summary>The receiving side of a source as its <see cref="EventLoop"/> knows it: the loop ends its batches and adapts its share of time.</summary>
internal abstract class BatchReceiver
{
    /// <summary>True if another thread waits for the end of this batch. Owned by <see cref="JoinedBatch"/>, under its lock.</summary>
    public bool HasJoined { get; set; }

    /// <summary>Continues in place of a thread that is still in <see cref="ILinkHandler.OnReceived"/>.</summary>
    /// <returns>False if another thread leads the loop by now.</returns>
    public abstract bool Continue(int consumed);

    /// <summary>Adapts the size of the next receive to the time of the last delivery, if other sources waited for its end.</summary>
    public abstract void Took(long ticks);

    /// <summary>Ends the batch after everything available was delivered.</summary>
    public abstract void EndBatch();
}
