using System.Diagnostics.CodeAnalysis;
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

/// <summary>A call on its way through its filters, with its request.</summary>
internal abstract class RequestRun<TRequest> : FilterRun, IRequestHolder<TRequest>
{
    private TRequest _request = default!;

    /// <summary>The request, for the runtime.</summary>
    public TRequest Message
    {
        get => _request;
        set => _request = value;
    }

    TRequest IRequestHolder<TRequest>.Message
    {
        get => _request;
        set
        {
            ThrowIfStarted();
            _request = value;
        }
    }

    public sealed override object? Request => _request;

    public sealed override IReadOnlyList<string> ArgumentNames => [.. Contract.Arguments.Select(static argument => argument.Name)];

    public sealed override MethodDescriptor Method => Contract.Descriptor;

    /// <summary>The method of the call.</summary>
    protected abstract RequestMethod<TRequest> Contract { get; }

    public sealed override bool TryGetArgument<T>(string name, [NotNullWhen(true)] out T? value)
        where T : default
    {
        ArgumentNullException.ThrowIfNull(name);
        var argument = Find(name);
        if (argument is MethodArgument<TRequest, T> exact)
        {
            value = exact.In(ref _request);
            return value is not null;
        }

        if (argument?.Get(ref _request) is T known)
        {
            value = known;
            return true;
        }

        value = default;
        return false;
    }

    public sealed override void SetArgument<T>(string name, T value)
    {
        ArgumentNullException.ThrowIfNull(name);
        ThrowIfStarted();
        var argument = Find(name) ?? throw new InvalidOperationException($"{Method.FullName} has no parameter '{name}'. It has: " +
            $"{(Contract.Arguments.Count == 0 ? "none" : string.Join(", ", ArgumentNames))}.");
        if (argument is MethodArgument<TRequest, T> exact) exact.In(ref _request) = value;
        else if (!argument.TrySetReference(ref _request, value))
            throw new InvalidOperationException($"The parameter '{name}' of {Method.FullName} takes no {typeof(T)}: its type is {argument.Type}.");
    }

    protected sealed override object? RequestReference => typeof(TRequest).IsValueType ? null : _request;

    protected sealed override Type RequestType => typeof(TRequest);

    protected sealed override bool TrySetRequestReference(object? request)
    {
        if (typeof(TRequest).IsValueType || request is not (TRequest or null)) return false;
        ThrowIfStarted();
        _request = (TRequest)request!;
        return true;
    }

    private MethodArgument<TRequest>? Find(string name)
    {
        foreach (var argument in Contract.Arguments)
        {
            if (argument.Name == name) return argument;
        }

        return null;
    }
}
