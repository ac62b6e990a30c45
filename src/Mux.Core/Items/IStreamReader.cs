using Mux.Execution;
using Mux.Sessions.Calls;
using Mux.Sessions.Streaming;

namespace Mux.Items;

/// <summary>The receiving half of one call's stream, whatever its items are.</summary>
internal interface IStreamReader<T> : IInboundItems, IAsyncEnumerable<T>, IAsyncEnumerator<T>
{
    /// <summary>
    /// What the caller of a call is given instead of this: the runtime holds this as long as the call is open, and when the caller has let go of the other
    /// without disposing it, its finalizer ends the call.
    /// </summary>
    IAsyncEnumerator<T> Hold();

    /// <summary>
    /// The caller has let go of what <see cref="Hold"/> gave it: ends the call. What was handed out is left alone, because the caller may still look at it, an
    /// item or a span of bytes: the garbage collector takes it when it is not referenced. Any thread.
    /// </summary>
    void Drop();

    /// <summary>
    /// The turn may be another thread's soon, and what arrived last is the turn's: makes it everybody's, so that <see cref="End"/> cannot come before it.
    /// </summary>
    void Settle();

    /// <summary>Nothing follows.</summary>
    /// <param name="error">What the consumer gets; null at the end of the stream.</param>
    /// <param name="turn">In which the consumer may run; null if it must run elsewhere.</param>
    /// <param name="isTurns">Whether the caller owns the turn, and with it what arrived last.</param>
    /// <param name="drops">Whether what arrived and was not taken is forgotten.</param>
    void End(Exception? error, Turn? turn, bool isTurns, bool drops);

    void IInboundItems.OnEnd(CallFailure? failure, Turn? turn) =>
        End(failure is null ? null : new MuxException(failure.Status, failure.Execution, failure.Phase, endpoint: null, failure.Text, failure.Error), turn,
            isTurns: true, drops: false);

    void IInboundItems.Abort() => End(new OperationCanceledException("The call is over."), turn: null, isTurns: false, drops: true);
}
