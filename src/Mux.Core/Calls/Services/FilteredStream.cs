using System.Security.Claims;
using Mux.Contracts;
using Mux.Engine;
using Mux.Filters;

namespace Mux.Calls;

/// <summary>A request with streams, on its way through the filters of its method.</summary>
/// <param name="method">The method.</param>
/// <param name="call">The call, with the options that its filters see.</param>
/// <param name="stream">Its streams.</param>
/// <param name="service">The service.</param>
/// <param name="services">Services of the scope of the call; null if it has none.</param>
/// <param name="cancellation">The token of the call.</param>
internal sealed class FilteredStream<TRequest, TItem, TResponse>(
    StreamMethod<TRequest, TItem, TResponse> method, InboundCall call, AcceptedStream stream, object service, IServiceProvider? services,
    InboundCancellation cancellation) : StreamRun<TRequest, TItem, TResponse>(method)
{
    public override MuxCallSide Side => MuxCallSide.Server;

    public override string Peer => call.Session.RemoteAddress;

    public override ClaimsPrincipal? User => CallerIdentity.Of(call);

    public override MuxMetadata Metadata => call.Options!.Metadata!;

    public override MuxMetadata ResponseMetadata => call.Options!.ResponseMetadata!;

    public override MuxCallOptions? Options
    {
        get => call.Options;
        set => throw ReceivedOptions.CannotBeReplaced();
    }

    public override TimeSpan? TimeLeft => ReceivedOptions.TimeLeftOf(call);

    public override CancellationToken CancellationToken => cancellation.Token;

    public override IServiceProvider? Services => services ?? Plan.Services;

    /// <summary>True if the call was over before its response stream was.</summary>
    public bool IsCutOff { get; private set; }

    /// <summary>Runs the filters and the handler to their end. The outcome is in this object.</summary>
    public async Task RunAsync(FilterPlan plan, TRequest request)
    {
        Begin(plan);
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

    protected override ValueTask<TResponse> CallAsync() => Contract.InvokeAsync!(service, Message, Requests(Received), HandlerOptions, cancellation.Token);

    protected override async ValueTask StreamAsync(IAsyncEnumerable<TResponse>? own)
    {
        var responses = stream.Responses!;
        if (call.Session.Peer.ReadsStreamMetadata) responses.Ahead = call.Options!.ResponseMetadata;
        var replies = own ?? Contract.Invoke!(service, Message, Requests(Received), HandlerOptions, cancellation.Token);
        var sending = replies is IPushedItems<TResponse> pushed && !WrapsResponses
            ? call.Session.RequestCounts.Subscriptions.CountAsync(
                pushed.SendAsync(Contract.Responses, responses, CountSent, cancellation.Token))
            : ItemPump<TResponse>.RunAsync(Responses(replies), Contract.Responses, responses, cancellation.Token);
        if (await sending.ConfigureAwait(false))
        {
            SetHasResponse();
            return;
        }

        IsCutOff = true;
        throw new OperationCanceledException("The call was over before its response stream was.", cancellation.Token);
    }

    protected override MuxStatus StatusOf(Exception error) =>
        IsCutOff && error is OperationCanceledException ? call.AbandonedStatus : HandlerFailures.StatusOf(call, error, cancellation);

    private IAsyncEnumerable<TItem> Received => stream.Items as IAsyncEnumerable<TItem> ?? AsyncEnumerable.Empty<TItem>();

    private MuxCallOptions? HandlerOptions => Contract.Descriptor.TakesOptions ? call.Options : null;
}
