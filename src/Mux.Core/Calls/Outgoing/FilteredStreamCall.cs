using System.Runtime.ExceptionServices;
using System.Security.Claims;
using Mux.Filters;

namespace Mux.Calls;

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
