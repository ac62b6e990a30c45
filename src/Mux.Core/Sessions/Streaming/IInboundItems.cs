using Mux.Execution;
using Mux.Sessions.Calls;

namespace Mux.Sessions.Streaming;

/// <summary>
/// Takes the items of one call's stream as they arrive: above this layer, what the consumer of the stream reads. No member throws or is called under a lock.
/// </summary>
internal interface IInboundItems
{
    /// <summary>The call has begun, and items may come.</summary>
    /// <param name="window">Which is told of items that the consumer has taken.</param>
    void Begin(InboundWindow window);

    /// <summary>An item came. In the turn; nobody is told before <see cref="Publish"/>.</summary>
    /// <param name="body">Valid during the call only.</param>
    /// <param name="cost">Its credit, which goes back to the peer by <see cref="InboundWindow.OnTaken"/> when the consumer has taken it.</param>
    /// <returns>Whether <see cref="Publish"/> is owed from now on.</returns>
    bool OnItem(ReadOnlySpan<byte> body, int cost);

    /// <summary>Shows the consumer what came. In the turn, or on the thread that goes on with it.</summary>
    /// <param name="turn">In which a consumer that waits may run; null if it must run elsewhere.</param>
    void Publish(Turn? turn);

    /// <summary>Nothing follows.</summary>
    /// <param name="failure">Why the stream ended before its end; null at its end.</param>
    /// <param name="turn">As with <see cref="Publish"/>; null on any thread that is not in the turn.</param>
    void OnEnd(CallFailure? failure, Turn? turn);

    /// <summary>The call is over, whoever reads. Any thread.</summary>
    void Abort();
}
