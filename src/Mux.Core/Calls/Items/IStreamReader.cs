using Mux.Engine;
using Mux.Runtime;

namespace Mux.Calls;

/// <summary>The receiving half of one call's stream, for any type of items.</summary>
internal interface IStreamReader<T> : IInboundItems, IAsyncEnumerable<T>, IAsyncEnumerator<T>
{
    /// <summary>
    /// Gets the object that the caller holds instead of this reader. The runtime holds the reader while the call is open. If the caller drops the other object
    /// without disposing it, its finalizer ends the call.
    /// </summary>
    IAsyncEnumerator<T> Hold();

    /// <summary>
    /// Ends the call: its caller has dropped what <see cref="Hold"/> returned. Items and bytes that were handed out stay untouched, because the caller may
    /// still use them. Any thread.
    /// </summary>
    void Drop();

    /// <summary>Publishes what arrived last, which only the turn owns so far: the turn may be lost soon, and <see cref="End"/> must not overtake it.</summary>
    void Settle();

    /// <summary>Ends the stream.</summary>
    /// <param name="error">The exception that the consumer gets; null at the regular end.</param>
    /// <param name="turn">The turn in which the consumer may run; null if it must run elsewhere.</param>
    /// <param name="isTurns">True if the caller owns the turn, and with it what arrived last.</param>
    /// <param name="drops">True if unread items are dropped.</param>
    void End(Exception? error, Turn? turn, bool isTurns, bool drops);

    void IInboundItems.OnEnd(CallFailure? failure, Turn? turn) =>
        End(failure is null ? null : new MuxException(failure.Status, failure.Execution, failure.Phase, endpoint: null, failure.Text, failure.Error), turn,
            isTurns: true, drops: false);

    void IInboundItems.Abort() => End(new OperationCanceledException("The call is over."), turn: null, isTurns: false, drops: true);
}
