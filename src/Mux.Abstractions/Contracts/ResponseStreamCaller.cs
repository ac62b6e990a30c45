namespace Mux.Contracts;

/// <summary>Calls one method that answers with a stream. Safe for concurrent use.</summary>
/// <typeparam name="TRequest">The arguments beside the request stream.</typeparam>
/// <typeparam name="TItem">An item of the request stream; <see cref="MuxUnit"/> where there is none.</typeparam>
/// <typeparam name="TResponse">An item of the response stream.</typeparam>
public abstract class ResponseStreamCaller<TRequest, TItem, TResponse>
{
    /// <summary>
    /// Prepares a call. It is made when the result is enumerated, once for each enumeration: <paramref name="request"/> is encoded then, and
    /// <paramref name="items"/> enumerated. Disposing the enumerator before its end cancels the call.
    /// </summary>
    /// <param name="request">The arguments beside the request stream.</param>
    /// <param name="items">The request stream; null where the contract has none, else null fails the call, not executed. When it throws, the call is cancelled
    /// and fails with <see cref="MuxException"/>, whose inner exception is what it threw.</param>
    /// <param name="options">What is special about this call, or null.</param>
    /// <param name="cancellationToken">Ends the call, as the token does that the result is enumerated with.</param>
    /// <returns>The stream. Its enumerator is used by one caller at a time. It throws <see cref="MuxException"/>, or <see cref="OperationCanceledException"/>
    /// carrying the token that was cancelled; it ends only where the handler ended.</returns>
    public abstract IAsyncEnumerable<TResponse> Call(
        TRequest request, IAsyncEnumerable<TItem>? items, MuxCallOptions? options, CancellationToken cancellationToken);
}
