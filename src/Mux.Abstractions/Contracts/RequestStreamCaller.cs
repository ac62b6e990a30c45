namespace Mux.Contracts;

/// <summary>Calls one method that takes a stream and answers once. Safe for concurrent use.</summary>
/// <typeparam name="TRequest">The arguments beside the stream.</typeparam>
/// <typeparam name="TItem">An item of the stream.</typeparam>
/// <typeparam name="TResponse">The reply.</typeparam>
public abstract class RequestStreamCaller<TRequest, TItem, TResponse>
{
    /// <summary>
    /// Makes a call. The arguments are encoded before this returns; <paramref name="items"/> is enumerated once the call has begun, and no longer than the call
    /// lasts.
    /// </summary>
    /// <param name="request">The arguments beside the stream.</param>
    /// <param name="items">The stream. When it throws, the call is cancelled and fails with <see cref="MuxException"/>, whose inner exception is what it threw.
    /// Null fails the call, not executed.</param>
    /// <param name="options">What is special about this call, or null.</param>
    /// <param name="cancellationToken">Ends the call.</param>
    /// <returns>Completes with the reply, which may come before the stream has ended; await it once. Fails with <see cref="MuxException"/>, or with
    /// <see cref="OperationCanceledException"/> carrying <paramref name="cancellationToken"/> when that token was cancelled first.</returns>
    public abstract ValueTask<TResponse> CallAsync(
        TRequest request, IAsyncEnumerable<TItem> items, MuxCallOptions? options, CancellationToken cancellationToken);
}
