using System.Runtime.CompilerServices;
using System.Security.Claims;
using Mux.Contracts;
using Mux.Engine;
using Mux.Filters;
using Mux.Runtime;
using Mux.Services;

namespace Mux.Calls;

/// <summary>A request with one reply or none, on its way through the filters of its method. Reused.</summary>
internal sealed class FilteredRequest<TRequest, TResponse> : UnaryRun<TRequest, TResponse>
{
    private readonly Action _onCompleted;
    private UnaryHandler<TRequest, TResponse> _handler = null!; // null while idle
    private InboundCall _call;
    private InboundCancellation? _cancellation;
    private ServiceLease<object> _lease;
    private MuxCallOptions? _options; // made when a filter first reads them, if the handler has none
    private ConfiguredValueTaskAwaitable.ConfiguredValueTaskAwaiter _awaiter;

    private FilteredRequest() => _onCompleted = OnCompleted;

    public override MuxCallSide Side => MuxCallSide.Server;

    public override string Peer => _call.Session.RemoteAddress;

    public override ClaimsPrincipal? User => CallerIdentity.Of(_call);

    public override MuxMetadata Metadata => Options!.Metadata!;

    public override MuxMetadata ResponseMetadata => Options!.ResponseMetadata!;

    public override MuxCallOptions? Options
    {
        get => _options ??= ReadOptions();
        set => throw ReceivedOptions.CannotBeReplaced();
    }

    public override TimeSpan? TimeLeft => ReceivedOptions.TimeLeftOf(_call);

    public override CancellationToken CancellationToken => (_cancellation ??= _call.OpenCancellation()).Token;

    public override IServiceProvider? Services => _lease.Scope as IServiceProvider ?? Plan.Services;

    /// <summary>Gets the call, which answers with the metadata that filters have added.</summary>
    /// <param name="inTurn">True if it is still in the turn in which it came.</param>
    public InboundCall AnswerableCall(bool inTurn)
    {
        var call = inTurn ? _call : _call with { InTurn = false };
        return _options is null || call.Options is not null ? call : call.WithOptions(_options);
    }

    /// <summary>True if filters have looked at options that the handler does not have, and may have added metadata to the answer.</summary>
    public bool HasOwnOptions => _options is not null && _call.Options is null;

    public InboundCancellation? Cancellation => _cancellation;

    public ServiceLease<object> Lease => _lease;

    protected override RequestMethod<TRequest> Contract => _handler.Method;

    protected override MessageCodec<TResponse> Responses => _handler.Method.Responses;

    /// <summary>Prepares the filters of a call.</summary>
    /// <param name="handler">Runs the request after the filters.</param>
    /// <param name="plan">The filters.</param>
    /// <param name="call">The call.</param>
    /// <param name="request">The decoded request.</param>
    /// <param name="cancellation">The token of the call, if it is open already.</param>
    /// <param name="lease">The service.</param>
    public static FilteredRequest<TRequest, TResponse> Rent(UnaryHandler<TRequest, TResponse> handler, FilterPlan plan, in InboundCall call, TRequest request,
        InboundCancellation? cancellation, in ServiceLease<object> lease)
    {
        var run = handler.FilteredRequests.TryRent() ?? new();
        run._handler = handler;
        run._call = call;
        run._options = call.Options;
        run._cancellation = cancellation;
        run._lease = lease;
        run.Message = request;
        run.Begin(plan);
        return run;
    }

    /// <summary>Runs the filters.</summary>
    /// <returns>True if they have ended. Otherwise the call is answered when they end.</returns>
    public bool TryRun()
    {
        var running = StartAsync();
        if (running.IsCompletedSuccessfully)
        {
            running.GetAwaiter().GetResult();
            return true;
        }

        var awaiter = running.ConfigureAwait(false).GetAwaiter();
        if (awaiter.IsCompleted)
        {
            Take(awaiter);
            return true;
        }

        _awaiter = awaiter;
        awaiter.UnsafeOnCompleted(_onCompleted);
        return false;
    }

    /// <summary>Gives the object back, if nothing uses it any more.</summary>
    public void Recycle()
    {
        if (!IsWhole) return;
        var pool = _handler.FilteredRequests;
        ForgetMessages();
        (_handler, _call, _cancellation, _lease, _options) = (null!, default, null, default, null);
        pool.Return(this);
    }

    protected override ValueTask InvokeAsync()
    {
        ValueTask<TResponse> running;
        try
        {
            running = _handler.Start(_call, _lease.Service, Message, ref _cancellation);
        }
        catch (Exception error)
        {
            return TakeFailed(error);
        }

        return TakeAsync(running);
    }

    protected override MuxStatus StatusOf(Exception error) => HandlerFailures.StatusOf(_call, error, _cancellation);

    private MuxCallOptions ReadOptions()
    {
        // What sees the options may call the caller back, even if no channel of the process inherits deadlines.
        AmbientCall.Set(_call.Due, _call.IsRetry, _call.Session.Clock);
        return ReceivedOptions.Of(_call);
    }

    private void OnCompleted()
    {
        var awaiter = _awaiter;
        _awaiter = default;
        Take(awaiter);
        _handler.AnswerFiltered(this);
    }

    /// <summary>The outcome is in this object, exceptions included.</summary>
    private static void Take(ConfiguredValueTaskAwaitable.ConfiguredValueTaskAwaiter awaiter)
    {
        try
        {
#pragma warning disable VSTHRD002 // it is complete
            awaiter.GetResult();
#pragma warning restore VSTHRD002
        }
        catch (Exception)
        {
            // the outcome of the run
        }
    }
}
