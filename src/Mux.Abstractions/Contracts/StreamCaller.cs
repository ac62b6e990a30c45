using System.ComponentModel;

namespace Mux.Contracts;

/// <summary>Calls one method with a stream in at least one direction. Safe for concurrent use.</summary>
/// <typeparam name="TRequest">The arguments other than the request stream.</typeparam>
/// <typeparam name="TItem">An item of the request stream; <see cref="MuxUnit"/> if there is none.</typeparam>
/// <typeparam name="TResponse">An item of the response stream, or the one reply.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public abstract class StreamCaller<TRequest, TItem, TResponse>
{
    /// <summary>Gets the configured address of the peer, for errors.</summary>
    public virtual string Endpoint => "its peer";

    /// <summary>Logs the exception of a callback: the peer gets only its status.</summary>
    /// <param name="callback">The interface and the method.</param>
    /// <param name="error">What was thrown.</param>
    public virtual void OnCallbackFailed(string callback, Exception error)
    {
    }

    /// <summary>
    /// Makes a call with a request stream and one reply. The arguments are encoded before this returns. <paramref name="items"/> is
    /// enumerated after the call has begun, and no longer than the call lasts.
    /// </summary>
    /// <param name="request">The arguments other than the stream.</param>
    /// <param name="items">The stream. If it throws, the call is cancelled and fails with a <see cref="MuxException"/> with that inner exception. Null fails
    /// the call, not executed.</param>
    /// <param name="options">Options of this call, or null.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>A task that completes with the reply, which may come before the stream has ended; await it once. It fails with <see cref="MuxException"/>, or
    /// with <see cref="OperationCanceledException"/> and <paramref name="cancellationToken"/> if that token was cancelled first.</returns>
    public abstract ValueTask<TResponse> CallAsync(
        TRequest request, IAsyncEnumerable<TItem> items, MuxCallOptions? options, CancellationToken cancellationToken);

    /// <summary>
    /// Prepares a call with a response stream. Each enumeration of the result makes a call: <paramref name="request"/> is encoded and
    /// <paramref name="items"/> is enumerated then. Disposing the enumerator before its end cancels the call.
    /// </summary>
    /// <param name="request">The arguments other than the request stream.</param>
    /// <param name="items">The request stream; null if the contract has none, otherwise null fails the call, not executed. If it throws, the call is cancelled
    /// and fails with a <see cref="MuxException"/> with that inner exception.</param>
    /// <param name="options">Options of this call, or null.</param>
    /// <param name="cancellationToken">Cancels the call, as does the token of the enumeration.</param>
    /// <returns>The stream. One caller at a time may use its enumerator. It throws <see cref="MuxException"/>, or <see cref="OperationCanceledException"/> with
    /// the token that was cancelled. It ends without an exception only if the handler ended the stream.</returns>
    public abstract IAsyncEnumerable<TResponse> Call(
        TRequest request, IAsyncEnumerable<TItem>? items, MuxCallOptions? options, CancellationToken cancellationToken);
}
