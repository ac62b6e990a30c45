using System.ComponentModel;

namespace Mux.Contracts;

/// <summary>Calls one method over one channel. Safe for concurrent use.</summary>
/// <typeparam name="TRequest">The request message.</typeparam>
/// <typeparam name="TResponse">The reply message.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public abstract class MethodCaller<TRequest, TResponse>
{
    /// <summary>Makes a call. The request is encoded before this returns and may be changed afterwards.</summary>
    /// <returns>A task that completes with the reply; await it once. It fails with <see cref="MuxException"/>, or with <see cref="OperationCanceledException"/>
    /// and <paramref name="cancellationToken"/> if that token was cancelled first.</returns>
    public abstract ValueTask<TResponse> CallAsync(TRequest request, CancellationToken cancellationToken);

    /// <summary>Makes a call with an empty reply, or a one-way call, which completes when the request is queued.</summary>
    /// <inheritdoc cref="CallAsync(TRequest, CancellationToken)"/>
    public abstract ValueTask CallWithoutResultAsync(TRequest request, CancellationToken cancellationToken);

    /// <summary>Makes a call with its own options.</summary>
    /// <param name="request">The request message.</param>
    /// <param name="options">Options of this call, or null.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <inheritdoc cref="CallAsync(TRequest, CancellationToken)"/>
    public abstract ValueTask<TResponse> CallAsync(TRequest request, MuxCallOptions? options, CancellationToken cancellationToken);

    /// <inheritdoc cref="CallWithoutResultAsync(TRequest, CancellationToken)"/>
    /// <param name="request">The request message.</param>
    /// <param name="options">Options of this call, or null.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public abstract ValueTask CallWithoutResultAsync(TRequest request, MuxCallOptions? options, CancellationToken cancellationToken);
}
