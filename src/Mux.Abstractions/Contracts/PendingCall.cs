using System.ComponentModel;
using System.Threading.Tasks.Sources;

namespace Mux.Contracts;

/// <summary>A call of a batch as the runtime knows it. Not reused: a handler may keep it.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class PendingCall<TRequest, TResponse>(TRequest request, MuxCallOptions? options, CancellationToken cancellationToken)
    : MuxBatchedCall<TRequest, TResponse>(request, options, cancellationToken), IValueTaskSource<TResponse>
{
    private ManualResetValueTaskSourceCore<TResponse> _core;

    /// <summary>Gets the outcome, which is taken once.</summary>
    public ValueTask<TResponse> Task => new(this, _core.Version);

    /// <summary>Gets a value indicating whether the call has a result, or needs none.</summary>
    public bool HasResult => Failure is null && (IsAnswered || typeof(TResponse) == typeof(MuxUnit));

    /// <summary>Ends the call: with the answer of its handler, or with what happened instead. Code that awaits it runs on this thread.</summary>
    /// <param name="error">What the handler threw; null if it has ended.</param>
    public void Complete(Exception? error)
    {
        bool hasResult = HasResult;
        if (!TryEnd()) error = Failure;
        else if (!hasResult) error ??= new InvalidOperationException("The handler of the batch has ended without an answer for the call.");
        if (error is null) _core.SetResult(Result!);
        else _core.SetException(error);
    }

    /// <summary>Calls a handler of batches with a batch of one call: what the method of the contract does if it is called without a connection.</summary>
    public static async ValueTask<TResponse> CallAsync(
        TRequest request, MuxCallOptions? options, Func<MuxCalls<TRequest, TResponse>, ValueTask> handler, CancellationToken cancellationToken)
    {
        var call = new PendingCall<TRequest, TResponse>(request, options, cancellationToken);
        await handler(new MuxCalls<TRequest, TResponse>([call])).ConfigureAwait(false);
        call.Complete(null);
        return await call.Task.ConfigureAwait(false);
    }

    /// <inheritdoc cref="CallAsync"/>
    public static async ValueTask CallWithoutResultAsync(
        TRequest request, MuxCallOptions? options, Func<MuxCalls<TRequest, TResponse>, ValueTask> handler, CancellationToken cancellationToken) =>
        await CallAsync(request, options, handler, cancellationToken).ConfigureAwait(false);

    TResponse IValueTaskSource<TResponse>.GetResult(short token) => _core.GetResult(token);

    ValueTaskSourceStatus IValueTaskSource<TResponse>.GetStatus(short token) => _core.GetStatus(token);

    void IValueTaskSource<TResponse>.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _core.OnCompleted(continuation, state, token, flags);
}
