using Mux.Contracts;

namespace Mux.Callbacks;

/// <summary>A callback that has no answer yet. It stays in its place until the answer has come, also if it was cancelled.</summary>
internal abstract class PendingCallback(ulong id, string method)
{
    private CallbackSession? _session; // set with the registration
    private CancellationTokenRegistration _registration;

    public ulong Id => id;

    /// <summary>Name of the interface and the method, for errors.</summary>
    public string Method => method;

    /// <summary>Lets a token end the wait for the answer.</summary>
    public void CancelWith(CallbackSession session, CancellationToken cancellationToken)
    {
        _session = session;
        _registration = cancellationToken.UnsafeRegister(static (callback, token) => ((PendingCallback)callback!).Cancel(token), this);
        Interlocked.MemoryBarrier(); // against OnCompleted: it sees the registration, or this thread sees that the callback is over
        if (IsCompleted) _registration.Unregister();
    }

    /// <summary>Completes the callback.</summary>
    /// <returns>Null. If the body is not the method's result, the failure: the callback still waits for it.</returns>
    public abstract MuxException? Answer(CallbackAnswer answer, CallbackFailures failures);

    /// <summary>Ends the callback without its answer.</summary>
    public abstract void Fail(Exception error);

    protected abstract bool IsCompleted { get; }

    protected void OnCompleted()
    {
        Interlocked.MemoryBarrier();
        _registration.Unregister();
    }

    private void Cancel(CancellationToken cancellationToken) => _session!.Cancel(this, cancellationToken);
}

/// <inheritdoc cref="PendingCallback"/>
internal sealed class PendingCallback<TResponse>(ulong id, MessageCodec<TResponse> responses, string method) : PendingCallback(id, method)
{
    // The handler's code runs elsewhere: the thread that completes this reads the other answers.
    private readonly TaskCompletionSource<TResponse> _completion = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public Task<TResponse> Task => _completion.Task;

    protected override bool IsCompleted => _completion.Task.IsCompleted;

    public override MuxException? Answer(CallbackAnswer answer, CallbackFailures failures)
    {
        if (answer.Status != MuxStatus.Ok)
        {
            Fail(failures.Thrown(Method, answer));
            return null;
        }

        try
        {
            _completion.TrySetResult(responses.Decode(answer.Body.Span));
            OnCompleted();
            return null;
        }
        catch (Exception error)
        {
            return failures.Undecodable(Method, error);
        }
    }

    public override void Fail(Exception error)
    {
        if (error is OperationCanceledException cancelled) _completion.TrySetCanceled(cancelled.CancellationToken);
        else _completion.TrySetException(error);
        OnCompleted();
        _ = _completion.Task.Exception; // observed: the handler may have returned without waiting for it
    }
}
