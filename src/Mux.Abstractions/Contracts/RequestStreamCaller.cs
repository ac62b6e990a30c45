using System.ComponentModel;

namespace Mux.Contracts;

/// <summary>Calls one method with a request stream and one reply. Safe for concurrent use.</summary>
/// <typeparam name="TRequest">The arguments other than the stream.</typeparam>
/// <typeparam name="TItem">An item of the stream.</typeparam>
/// <typeparam name="TResponse">The reply.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public abstract class RequestStreamCaller<TRequest, TItem, TResponse>
{
    /// <summary>
    /// Makes a call. The arguments are encoded before this returns. <paramref name="items"/> is enumerated after the call has begun, and no longer than the
    /// call lasts.
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
}
