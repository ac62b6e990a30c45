using Mux.Runtime;

namespace Mux.Engine;

/// <summary>
/// Receives the items of one call's stream as they arrive. Implemented above this layer, for the consumer of the stream. No member throws or is called under a
/// lock.
/// </summary>
internal interface IInboundItems
{
    /// <summary>The call has begun, and items may come.</summary>
    /// <param name="window">Receives the credit of items that the consumer has taken.</param>
    void Begin(InboundWindow window);

    /// <summary>The sender counts items from the first one on, as <see cref="InboundWindow.TryCountItems"/> knows already. In the turn, ahead of it.</summary>
    /// <param name="items">Items that may be under way without being taken.</param>
    void OnItemWindow(int items)
    {
        // A consumer alone need not know.
    }

    /// <summary>Adds an item. In the turn; the consumer is not notified before <see cref="Publish"/>.</summary>
    /// <param name="body">Valid only during this method.</param>
    /// <param name="cost">Its credit, returned to the peer by <see cref="InboundWindow.OnTaken"/> when the consumer has taken the item.</param>
    /// <returns>True if <see cref="Publish"/> must be called from now on.</returns>
    bool OnItem(ReadOnlySpan<byte> body, int cost);

    /// <summary>Shows the items to the consumer. In the turn, or on the thread that continues with it.</summary>
    /// <param name="turn">The turn in which a waiting consumer may run; null if it must run elsewhere.</param>
    void Publish(Turn? turn);

    /// <summary>Ends the stream.</summary>
    /// <param name="failure">The reason why the stream broke; null at its regular end.</param>
    /// <param name="turn">As with <see cref="Publish"/>; null on any thread that is not in the turn.</param>
    void OnEnd(CallFailure? failure, Turn? turn);

    /// <summary>Ends the stream because the call is over, whether or not it is being read. Any thread.</summary>
    void Abort();
}
