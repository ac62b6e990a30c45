using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;
using System.Security.Claims;
using Mux.Contracts;
using Mux.Filters;
using Mux.Runtime;

namespace Mux.Calls;

/// <summary>Puts the filters of a channel, or of a server that calls its clients, around the calls of proxies. Methods without filters are those of the invoker
/// inside.</summary>
/// <param name="inner">Makes the calls.</param>
/// <param name="filters">The filters.</param>
/// <param name="settings">What filters see of the channel.</param>
internal sealed class FilteringInvoker(CallInvoker inner, FilterBinding filters, FilterSettings settings) : CallInvoker
{
    public override MethodCaller<TRequest, TResponse> Bind<TRequest, TResponse>(UnaryMethod<TRequest, TResponse> method)
    {
        var caller = inner.Bind(method);
        return filters.Of(method.Descriptor, MuxCallSide.Client) is { } plan ? new FilteredCaller<TRequest, TResponse>(caller, method, plan, settings) : caller;
    }

    public override StreamCaller<TRequest, TItem, TResponse> BindStream<TRequest, TItem, TResponse>(StreamMethod<TRequest, TItem, TResponse> method)
    {
        var caller = inner.BindStream(method);
        return filters.Of(method.Descriptor, MuxCallSide.Client) is { } plan
            ? new FilteredStreamCaller<TRequest, TItem, TResponse>(caller, method, plan, settings)
            : caller;
    }
}

/// <summary>A call with streams, on its way through the filters of its channel.</summary>
/// <param name="caller">Makes the call.</param>
/// <param name="request">The arguments other than the request stream.</param>
/// <param name="items">The request stream; null if there is none.</param>
/// <param name="options">Options of the call, or null.</param>
/// <param name="first">The token of the call.</param>
/// <param name="second">The token of the enumeration.</param>
[System.Diagnostics.CodeAnalysis.SuppressMessage("Design", "CA1001", Justification = "Who enumerates the items disposes them.")]
internal sealed class FilteredStreamCall<TRequest, TItem, TResponse>(
    FilteredStreamCaller<TRequest, TItem, TResponse> caller, TRequest request, IAsyncEnumerable<TItem>? items, MuxCallOptions? options,
    CancellationToken first, CancellationToken second = default) : StreamRun<TRequest, TItem, TResponse>(caller.Method)
{
    private FilteredOptions _options = new(options);
    private FilteredResponses<TResponse>? _responses; // null for a method with one reply

    public override MuxCallSide Side => MuxCallSide.Client;

    public override string Peer => caller.Settings.Address;

    public override ClaimsPrincipal? User => null;

    public override MuxMetadata Metadata => _options.Metadata;

    public override MuxMetadata ResponseMetadata => _options.ResponseMetadata;

    public override MuxCallOptions? Options
    {
        get => _options.Options;
        set
        {
            ThrowIfStarted();
            _options.Options = value;
        }
    }

    public override TimeSpan? TimeLeft => _options.TimeoutOf(Method, caller.Settings);

    public override CancellationToken CancellationToken => first.CanBeCanceled ? first : second;

    public override IServiceProvider? Services => Plan.Services;

    /// <summary>Runs the filters and a call with one reply.</summary>
    public async ValueTask<TResponse> TakeReplyAsync()
    {
        await RunAsync().ConfigureAwait(false);
        if (HasResponse) return Response;
        bool holdsFailures = caller.Method.Responses.HoldsFailures;
        if (holdsFailures && Exception is MuxException known)
            return caller.Method.Responses.FromFailure(FilteredFailure.Of(FilteredFailure.Of(known), Method, HasStarted));
        if (holdsFailures && Failure is { } failure) return caller.Method.Responses.FromFailure(FilteredFailure.Of(failure, Method, HasStarted));
        ThrowOutcome();
        return default!;
    }

    /// <summary>Starts the filters and a call with a response stream.</summary>
    /// <returns>The items, whose end is that of the filters.</returns>
    public IAsyncEnumerator<TResponse> Enumerate()
    {
        _responses = new FilteredResponses<TResponse>(ThrowUnlessEnded);
        _responses.EndWith(RunAsync());
        return _responses;
    }

    protected override ValueTask<TResponse> CallAsync() =>
        caller.Inner.CallAsync(Message, items is null ? null! : Requests(items), _options.Effective(), first);

    protected override async ValueTask StreamAsync(IAsyncEnumerable<TResponse>? own)
    {
        await _responses!.PassAsync(() => Responses(own ?? Sent()).GetAsyncEnumerator(second)).ConfigureAwait(false);
        SetHasResponse();
    }

    protected override MuxStatus StatusOf(Exception error) => FilteredFailure.StatusOf(error);

    private IAsyncEnumerable<TResponse> Sent() =>
        caller.Inner.Call(Message, items is null ? null : Requests(items), _options.Effective(), first);

    private async Task RunAsync()
    {
        Begin(caller.Plan);
        Message = request;
        try
        {
            await StartAsync().ConfigureAwait(false);
        }
        catch (Exception)
        {
            // the outcome of the run
        }
    }

    private void ThrowUnlessEnded()
    {
        if (!HasResponse) ThrowOutcome();
    }

    private void ThrowOutcome()
    {
        if (Exception is { } error) ExceptionDispatchInfo.Throw(error);
        throw new MuxException(FilteredFailure.Of(Failure!, Method, HasStarted));
    }
}

/// <summary>A call with one reply or none, on its way through the filters of its channel. Reused.</summary>
internal sealed class FilteredCall<TRequest, TResponse> : UnaryRun<TRequest, TResponse>
{
    private FilteredCaller<TRequest, TResponse> _caller = null!; // null while idle
    private FilteredOptions _options;
    private CancellationToken _token;

    private FilteredCall()
    {
    }

    public override MuxCallSide Side => MuxCallSide.Client;

    public override string Peer => _caller.Settings.Address;

    public override ClaimsPrincipal? User => null;

    public override MuxMetadata Metadata => _options.Metadata;

    public override MuxMetadata ResponseMetadata => _options.ResponseMetadata;

    public override MuxCallOptions? Options
    {
        get => _options.Options;
        set
        {
            ThrowIfStarted();
            _options.Options = value;
        }
    }

    public override TimeSpan? TimeLeft => _options.TimeoutOf(Method, _caller.Settings);

    public override CancellationToken CancellationToken => _token;

    public override IServiceProvider? Services => Plan.Services;

    protected override RequestMethod<TRequest> Contract => _caller.Method;

    protected override MessageCodec<TResponse> Responses => _caller.Method.Responses;

    /// <summary>Prepares a call.</summary>
    public static FilteredCall<TRequest, TResponse> Rent(
        FilteredCaller<TRequest, TResponse> caller, TRequest request, MuxCallOptions? options, CancellationToken cancellationToken)
    {
        var call = caller.Calls.TryRent() ?? new();
        call._caller = caller;
        call._options = new FilteredOptions(options);
        call._token = cancellationToken;
        call.Message = request;
        call.Begin(caller.Plan);
        return call;
    }

    /// <summary>Runs the filters and the call, and forgets it.</summary>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public async ValueTask<TResponse> RunAsync()
    {
        try
        {
            await StartAsync().ConfigureAwait(false);
        }
        catch (Exception)
        {
            // the outcome of the run
        }

        return Take();
    }

    /// <inheritdoc cref="RunAsync"/>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    public async ValueTask RunWithoutResultAsync() => _ = await RunAsync().ConfigureAwait(false);

    protected override ValueTask InvokeAsync()
    {
        ValueTask<TResponse> running;
        try
        {
            running = _caller.Inner.CallAsync(Message, _options.Effective(), _token);
        }
        catch (Exception error)
        {
            return TakeFailed(error);
        }

        return TakeAsync(running);
    }

    protected override MuxStatus StatusOf(Exception error) => FilteredFailure.StatusOf(error);

    private TResponse Take()
    {
        var (method, hasResponse, hasStarted, response, error) = (_caller.Method, HasResponse, HasStarted, Response, Exception);
        var failure = hasResponse ? null : Failure;
        if (IsWhole) Recycle();
        if (hasResponse) return response;
        bool holdsFailures = method.Responses.HoldsFailures;
        if (holdsFailures && error is MuxException known) failure = FilteredFailure.Of(known);
        if (failure is null) ExceptionDispatchInfo.Throw(error!);
        failure = FilteredFailure.Of(failure, method.Descriptor, hasStarted);
        return holdsFailures ? method.Responses.FromFailure(failure) : throw new MuxException(failure);
    }

    private void Recycle()
    {
        var calls = _caller.Calls;
        ForgetMessages();
        (_caller, _options, _token) = (null!, default, default);
        calls.Return(this);
    }
}

/// <summary>Makes calls of one unary method that has filters, on one channel. Safe for concurrent use.</summary>
internal sealed class FilteredCaller<TRequest, TResponse>(
    MethodCaller<TRequest, TResponse> inner, UnaryMethod<TRequest, TResponse> method, FilterPlan plan, FilterSettings settings)
    : MethodCaller<TRequest, TResponse>
{
    /// <summary>Makes the calls after their filters.</summary>
    public MethodCaller<TRequest, TResponse> Inner => inner;

    public UnaryMethod<TRequest, TResponse> Method => method;

    public FilterPlan Plan => plan;

    public FilterSettings Settings => settings;

    public ObjectPool<FilteredCall<TRequest, TResponse>> Calls { get; } = ObjectPool<FilteredCall<TRequest, TResponse>>.Shared;

    public override ValueTask<TResponse> CallAsync(TRequest request, CancellationToken cancellationToken) => CallAsync(request, null, cancellationToken);

    public override ValueTask<TResponse> CallAsync(TRequest request, MuxCallOptions? options, CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested) return ValueTask.FromCanceled<TResponse>(cancellationToken);
        return FilteredCall<TRequest, TResponse>.Rent(this, request, options, cancellationToken).RunAsync();
    }

    public override ValueTask CallWithoutResultAsync(TRequest request, CancellationToken cancellationToken) =>
        CallWithoutResultAsync(request, null, cancellationToken);

    public override ValueTask CallWithoutResultAsync(TRequest request, MuxCallOptions? options, CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested) return ValueTask.FromCanceled(cancellationToken);
        return FilteredCall<TRequest, TResponse>.Rent(this, request, options, cancellationToken).RunWithoutResultAsync();
    }
}

/// <summary>Makes calls of one method that streams and has filters, on one channel. Safe for concurrent use.</summary>
internal sealed class FilteredStreamCaller<TRequest, TItem, TResponse>(
    StreamCaller<TRequest, TItem, TResponse> inner, StreamMethod<TRequest, TItem, TResponse> method, FilterPlan plan, FilterSettings settings)
    : StreamCaller<TRequest, TItem, TResponse>
{
    /// <summary>Makes the calls after their filters.</summary>
    public StreamCaller<TRequest, TItem, TResponse> Inner => inner;

    public StreamMethod<TRequest, TItem, TResponse> Method => method;

    public FilterPlan Plan => plan;

    public FilterSettings Settings => settings;

    public override string Endpoint => inner.Endpoint;

    public override void OnCallbackFailed(string callback, Exception error) => inner.OnCallbackFailed(callback, error);

    public override ValueTask<TResponse> CallAsync(
        TRequest request, IAsyncEnumerable<TItem> items, MuxCallOptions? options, CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested) return ValueTask.FromCanceled<TResponse>(cancellationToken);
        return new FilteredStreamCall<TRequest, TItem, TResponse>(this, request, items, options, cancellationToken).TakeReplyAsync();
    }

    public override IAsyncEnumerable<TResponse> Call(
        TRequest request, IAsyncEnumerable<TItem>? items, MuxCallOptions? options, CancellationToken cancellationToken) =>
        new Stream(this, request, items, options, cancellationToken);

    /// <summary>A call that is made when it is enumerated.</summary>
    private sealed class Stream(
        FilteredStreamCaller<TRequest, TItem, TResponse> caller,
        TRequest request,
        IAsyncEnumerable<TItem>? items,
        MuxCallOptions? options,
        CancellationToken cancellationToken) : IAsyncEnumerable<TResponse>
    {
        public IAsyncEnumerator<TResponse> GetAsyncEnumerator(CancellationToken enumerationToken = default)
        {
            cancellationToken.ThrowIfCancellationRequested();
            enumerationToken.ThrowIfCancellationRequested();
            var call = new FilteredStreamCall<TRequest, TItem, TResponse>(caller, request, items, options, cancellationToken, enumerationToken);
            return call.Enumerate();
        }
    }
}

/// <summary>The options of a call whose filters run: those of its caller, and what filters have changed. A structure inside its call.</summary>
internal struct FilteredOptions
{
    private MuxCallOptions? _options;
    private MuxMetadata? _metadata; // null until a filter reads them
    private MuxMetadata? _responseMetadata;

    /// <param name="own">The options of the caller; null for those of the scope that it calls in.</param>
    public FilteredOptions(MuxCallOptions? own) => _options = own ?? MuxCallOptions.Current;

    public MuxCallOptions? Options
    {
        readonly get => _options;
        set => (_options, _metadata, _responseMetadata) = (value, null, null);
    }

    public MuxMetadata Metadata => _metadata ??= _options?.Metadata?.Copy() ?? [];

    public MuxMetadata ResponseMetadata => _responseMetadata ??= _options?.ResponseMetadata ?? [];

    /// <summary>Gets the time limit with which the call would be sent at this moment; null for none.</summary>
    public readonly TimeSpan? TimeoutOf(MethodDescriptor method, FilterSettings settings)
    {
        var own = _options?.Timeout ?? method.Choices.Timeout ??
            (OutgoingOptions.HasDefaultTimeout(method.Shape) ? settings.CallTimeout : Timeout.InfiniteTimeSpan);
        bool inherits = settings.InheritsDeadlines && _options is not { InheritsDeadline: false };
        var inherited = inherits && AmbientCall.Left() is var left && left != Clock.Never ? TimeSpan.FromMicroseconds(left) : Timeout.InfiniteTimeSpan;
        if (own == Timeout.InfiniteTimeSpan) return inherited == Timeout.InfiniteTimeSpan ? null : inherited;
        return inherited == Timeout.InfiniteTimeSpan || own < inherited ? own : inherited;
    }

    /// <summary>Gets the options with which the call is made.</summary>
    public readonly MuxCallOptions? Effective()
    {
        if (_metadata is null && _responseMetadata is null) return _options;
        var options = _options ?? s_none;
        return new MuxCallOptions
        {
            Timeout = options.Timeout,
            Metadata = _metadata ?? options.Metadata,
            ResponseMetadata = _responseMetadata ?? options.ResponseMetadata,
            Priority = options.Priority,
            Key = options.Key,
            Idempotent = options.Idempotent,
            Retries = options.Retries,
            WaitForReady = options.WaitForReady,
            Acknowledged = options.Acknowledged,
            InheritsDeadline = options.InheritsDeadline,
        };
    }

    private static readonly MuxCallOptions s_none = new();
}

/// <summary>Creates the failures that callers receive of calls which a filter has ended.</summary>
internal static class FilteredFailure
{
    /// <summary>Gets the failure that a caller receives.</summary>
    /// <param name="failure">The failure that a filter has set, which may come from a call.</param>
    /// <param name="method">The method.</param>
    /// <param name="hasStarted">True if the request may have been sent. Otherwise no handler has run.</param>
    public static MuxFailure Of(MuxFailure failure, MethodDescriptor method, bool hasStarted)
    {
        if (failure.Method is not null) return failure; // of this call, or of another one that the filter made
        return new MuxFailure(failure.Status, failure.Message, failure.Detail)
        {
            Execution = hasStarted ? failure.Execution : MuxExecution.NotExecuted,
            Phase = hasStarted ? failure.Phase : MuxCallPhase.Encode,
            Endpoint = failure.Endpoint,
            Method = method.FullName,
            RetryAfter = failure.RetryAfter,
            Attempts = failure.Attempts,
            Exception = failure.Exception,
        };
    }

    /// <summary>Gets the failure of an exception, for a method whose callers get failures as values.</summary>
    public static MuxFailure Of(MuxException error) => new(error.Status, error.Message, error.Detail)
    {
        Execution = error.Execution,
        Phase = error.Phase,
        Endpoint = error.Endpoint,
        Method = error.Method,
        RetryAfter = error.RetryAfter,
        Attempts = error.Attempts,
        Exception = error.InnerException,
    };

    /// <summary>Gets the status that the caller sees for an exception.</summary>
    public static MuxStatus StatusOf(Exception error) => error switch
    {
        MuxException known => known.Status,
        OperationCanceledException => MuxStatus.Cancelled,
        _ => MuxStatus.Unknown,
    };
}

/// <summary>What filters around calls that are made see of the channel, or of the peer that is called.</summary>
/// <param name="Address">Its address, or addresses; the name of the channel if its servers come from a source.</param>
/// <param name="CallTimeout">Time limit of calls that have no other; infinite for none.</param>
/// <param name="InheritsDeadlines">True if calls end no later than the handler that makes them.</param>
internal sealed record FilterSettings(string Address, TimeSpan CallTimeout, bool InheritsDeadlines);
