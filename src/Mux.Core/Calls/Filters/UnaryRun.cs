using Mux.Contracts;
using Mux.Filters;

namespace Mux.Calls;

/// <summary>A call with one reply or none, on its way through its filters.</summary>
internal abstract class UnaryRun<TRequest, TResponse> : RequestRun<TRequest>, IResponseHolder<TResponse>
{
    private TResponse _response = default!;

    /// <summary>The reply, if <see cref="FilterRun.HasResponse"/>.</summary>
    public TResponse Response => _response;

    public sealed override MuxFailure? Failure => HasResponse && Responses.HoldsFailures ? Responses.FailureOf(_response) : base.Failure;

    public sealed override long ItemsSent => 0;

    public sealed override long ItemsReceived => 0;

    /// <summary>Writes or reads replies.</summary>
    protected abstract MessageCodec<TResponse> Responses { get; }

    protected sealed override object? ResponseReference => HasResponse && !typeof(TResponse).IsValueType ? _response : null;

    protected sealed override Type ResponseType => typeof(TResponse);

    bool IResponseHolder<TResponse>.TryGet(out TResponse response)
    {
        response = _response;
        return HasResponse;
    }

    bool IResponseHolder<TResponse>.TrySet(TResponse response)
    {
        SetResult(response);
        return true;
    }

    protected sealed override bool TrySetResponseReference(object? response)
    {
        if (typeof(TResponse).IsValueType || response is not (TResponse or null)) return false;
        SetResult((TResponse)response!);
        return true;
    }

    /// <summary>Sets the outcome to a reply.</summary>
    protected void SetResult(TResponse response)
    {
        _response = response;
        SetHasResponse();
    }

    /// <summary>Takes the outcome of the handler or call, which has begun.</summary>
    protected ValueTask TakeAsync(ValueTask<TResponse> running)
    {
        if (!running.IsCompletedSuccessfully) return AwaitAsync(running);
#pragma warning disable VSTHRD002 // it is complete
        SetResult(running.Result);
#pragma warning restore VSTHRD002
        LeaveInnermost();
        return default;
    }

    /// <summary>Takes the exception that the handler or call threw at once.</summary>
    protected ValueTask TakeFailed(Exception error)
    {
        SetException(error);
        LeaveInnermost();
        return ValueTask.FromException(error);
    }

    /// <summary>Forgets the messages of the call, too.</summary>
    protected void ForgetMessages()
    {
        (Message, _response) = (default!, default!);
        Forget();
    }

    [System.Runtime.CompilerServices.AsyncMethodBuilder(typeof(System.Runtime.CompilerServices.PoolingAsyncValueTaskMethodBuilder))]
    private async ValueTask AwaitAsync(ValueTask<TResponse> running)
    {
        try
        {
            SetResult(await running.ConfigureAwait(false));
        }
        catch (Exception error)
        {
            SetException(error);
            throw;
        }
        finally
        {
            LeaveInnermost();
        }
    }
}
