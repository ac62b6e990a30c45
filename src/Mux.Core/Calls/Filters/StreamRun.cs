using System.Runtime.CompilerServices;
using Mux.Contracts;
using Mux.Filters;

namespace Mux.Calls;

/// <summary>A call with a stream in at least one direction, on its way through its filters. Not reused.</summary>
internal abstract class StreamRun<TRequest, TItem, TResponse>(StreamMethod<TRequest, TItem, TResponse> method)
    : RequestRun<TRequest>, IRequestStreamHolder<TItem>, IResponseStreamHolder<TResponse>, IResponseHolder<TResponse>
{
    private readonly ItemCount _requests = new();
    private readonly ItemCount _responses = new();
    private Func<IAsyncEnumerable<TItem>, IAsyncEnumerable<TItem>>? _wrapRequests; // the outermost function runs first
    private Func<IAsyncEnumerable<TResponse>, IAsyncEnumerable<TResponse>>? _wrapResponses; // the innermost function runs first
    private IAsyncEnumerable<TResponse>? _own;
    private TResponse _response = default!;

    /// <summary>The one reply, if <see cref="FilterRun.HasResponse"/> and the method has no response stream.</summary>
    public TResponse Response => _response;

    public sealed override MuxFailure? Failure =>
        HasResponse && !HasResponseStream && method.Responses.HoldsFailures ? method.Responses.FailureOf(_response) : base.Failure;

    public sealed override long ItemsSent => (Side == MuxCallSide.Client ? _requests : _responses).Value;

    public sealed override long ItemsReceived => (Side == MuxCallSide.Client ? _responses : _requests).Value;

    protected sealed override StreamMethod<TRequest, TItem, TResponse> Contract => method;

    protected bool HasResponseStream => (method.Descriptor.Shape & MethodShape.ResponseStream) != 0;

    protected sealed override bool HasOwnStream => _own is not null && !HasOutcome;

    protected sealed override object? ResponseReference => HasResponse && !HasResponseStream && !typeof(TResponse).IsValueType ? _response : null;

    protected sealed override Type ResponseType => typeof(TResponse);

    private bool HasRequestStream => (method.Descriptor.Shape & MethodShape.RequestStream) != 0;

    bool IResponseHolder<TResponse>.TryGet(out TResponse response)
    {
        response = _response;
        return HasResponse && !HasResponseStream;
    }

    bool IResponseHolder<TResponse>.TrySet(TResponse response)
    {
        if (HasResponseStream) return false;
        SetResult(response);
        return true;
    }

    protected sealed override bool TrySetResponseReference(object? response)
    {
        if (HasResponseStream || typeof(TResponse).IsValueType || response is not (TResponse or null)) return false;
        SetResult((TResponse)response!);
        return true;
    }

    bool IRequestStreamHolder<TItem>.TryWrapRequests(Func<IAsyncEnumerable<TItem>, IAsyncEnumerable<TItem>> wrap)
    {
        if (!HasRequestStream) return false;
        ThrowIfStarted();
        _wrapRequests = _wrapRequests is { } outer ? items => wrap(outer(items)) : wrap;
        return true;
    }

    bool IResponseStreamHolder<TResponse>.TryWrapResponses(Func<IAsyncEnumerable<TResponse>, IAsyncEnumerable<TResponse>> wrap)
    {
        if (!HasResponseStream) return false;
        ThrowIfStarted();
        _wrapResponses = _wrapResponses is { } outer ? items => outer(wrap(items)) : wrap;
        return true;
    }

    bool IResponseStreamHolder<TResponse>.TrySetResponses(IAsyncEnumerable<TResponse> items)
    {
        if (!HasResponseStream) return false;
        if (HasStarted || HasOutcome)
        {
            throw new InvalidOperationException($"The response stream of {method.Descriptor.FullName} has begun, or the call has ended: a filter sets a " +
                "stream instead of what follows it.");
        }

        _own = items;
        return true;
    }

    /// <summary>Gets the request stream as it is sent, or as the handler reads it.</summary>
    protected IAsyncEnumerable<TItem> Requests(IAsyncEnumerable<TItem> items)
    {
        bool isSent = Side == MuxCallSide.Client;
        if (!isSent) items = new CountedItems<TItem>(items, _requests);
        if (_wrapRequests is { } wrap) items = wrap(items);
        return isSent ? new CountedItems<TItem>(items, _requests) : items;
    }

    /// <summary>True if a filter takes the items of the response stream on their way.</summary>
    protected bool WrapsResponses => _wrapResponses is not null;

    /// <summary>Counts items of the response stream that are sent without having passed <see cref="Responses"/>.</summary>
    protected void CountSent(int items) => _responses.Add(items);

    /// <summary>Gets the response stream as it is sent, or as the caller reads it.</summary>
    protected IAsyncEnumerable<TResponse> Responses(IAsyncEnumerable<TResponse> items)
    {
        bool isSent = Side == MuxCallSide.Server;
        if (!isSent) items = new CountedItems<TResponse>(items, _responses);
        if (_wrapResponses is { } wrap) items = wrap(items);
        return isSent ? new CountedItems<TResponse>(items, _responses) : items;
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    protected sealed override async ValueTask InvokeAsync()
    {
        try
        {
            if (_own is not null) throw HasBoth();
            if (HasResponseStream) await StreamAsync(null).ConfigureAwait(false);
            else SetResult(await CallAsync().ConfigureAwait(false));
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

    protected sealed override async ValueTask RunOwnStreamAsync()
    {
        try
        {
            await StreamAsync(_own!).ConfigureAwait(false);
        }
        finally
        {
            _own = null;
        }
    }

    /// <summary>Runs the handler, or makes the call, of a method with one reply.</summary>
    protected abstract ValueTask<TResponse> CallAsync();

    /// <summary>Runs a response stream to its end, and sets the outcome unless it throws.</summary>
    /// <param name="own">The stream of a filter; null for that of the handler or the call.</param>
    protected abstract ValueTask StreamAsync(IAsyncEnumerable<TResponse>? own);

    private InvalidOperationException HasBoth() =>
        new($"A filter has set the response stream of {method.Descriptor.FullName} and has run what follows it: expected one of both.");

    private void SetResult(TResponse response)
    {
        _response = response;
        SetHasResponse();
    }
}

/// <summary>A stream whose items are counted when they are read.</summary>
internal sealed class CountedItems<T>(IAsyncEnumerable<T> items, ItemCount count) : IAsyncEnumerable<T>
{
    public IAsyncEnumerator<T> GetAsyncEnumerator(CancellationToken cancellationToken = default) =>
        new Enumerator(items.GetAsyncEnumerator(cancellationToken), count);

    private sealed class Enumerator(IAsyncEnumerator<T> items, ItemCount count) : IAsyncEnumerator<T>
    {
        public T Current => items.Current;

        public ValueTask<bool> MoveNextAsync()
        {
            var moving = items.MoveNextAsync();
            if (!moving.IsCompletedSuccessfully) return AwaitAsync(moving);
#pragma warning disable VSTHRD002 // it is complete
            if (!moving.Result) return new ValueTask<bool>(false);
#pragma warning restore VSTHRD002
            count.Add();
            return new ValueTask<bool>(true);
        }

        public ValueTask DisposeAsync() => items.DisposeAsync();

        [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
        private async ValueTask<bool> AwaitAsync(ValueTask<bool> moving)
        {
            if (!await moving.ConfigureAwait(false)) return false;
            count.Add();
            return true;
        }
    }
}

/// <summary>Number of items that have passed. Written by the code that reads them, read by any thread.</summary>
internal sealed class ItemCount
{
    private long _value;

    public long Value => Volatile.Read(ref _value);

    public void Add(int items = 1) => Volatile.Write(ref _value, _value + items);
}
