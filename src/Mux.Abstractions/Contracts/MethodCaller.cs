namespace Mux.Contracts;

/// <summary>Calls one method of one channel. Safe for concurrent use.</summary>
/// <typeparam name="TRequest">The request message.</typeparam>
/// <typeparam name="TResponse">The reply message.</typeparam>
public abstract class MethodCaller<TRequest, TResponse>
{
    /// <summary>Makes a call. The request is encoded before this returns and may be changed afterwards.</summary>
    /// <returns>Completes with the reply; await it once. Fails with <see cref="MuxException"/>, or with
    /// <see cref="OperationCanceledException"/> carrying <paramref name="cancellationToken"/> when that token was cancelled first.</returns>
    public abstract ValueTask<TResponse> CallAsync(TRequest request, CancellationToken cancellationToken);

    /// <summary>Makes a call whose reply is empty, or a one-way call, which completes when the request is queued.</summary>
    /// <inheritdoc cref="CallAsync(TRequest, CancellationToken)"/>
    public abstract ValueTask CallWithoutResultAsync(TRequest request, CancellationToken cancellationToken);

    /// <summary>Makes a call with options of its own.</summary>
    /// <param name="request">The request message.</param>
    /// <param name="options">What is special about this call, or null.</param>
    /// <param name="cancellationToken">Ends the call.</param>
    /// <inheritdoc cref="CallAsync(TRequest, CancellationToken)"/>
    public abstract ValueTask<TResponse> CallAsync(TRequest request, MuxCallOptions? options, CancellationToken cancellationToken);

    /// <inheritdoc cref="CallWithoutResultAsync(TRequest, CancellationToken)"/>
    /// <param name="request">The request message.</param>
    /// <param name="options">What is special about this call, or null.</param>
    /// <param name="cancellationToken">Ends the call.</param>
    public abstract ValueTask CallWithoutResultAsync(TRequest request, MuxCallOptions? options, CancellationToken cancellationToken);
}
