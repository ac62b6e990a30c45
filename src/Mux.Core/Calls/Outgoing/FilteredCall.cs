using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;
using System.Security.Claims;
using Mux.Contracts;
using Mux.Filters;

namespace Mux.Calls;

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
