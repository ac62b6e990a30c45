using Mux.Contracts;
using Mux.Diagnostics;
using Mux.Execution;
using Mux.Items;
using Mux.Sessions.Incoming;
using Mux.Sessions.Streaming;
using Mux.Timing;

namespace Mux.Services;

/// <summary>
/// Runs requests of one method that streams. Decodes a request in the turn. Then a worker calls the service and runs its streams to their end. Safe for
/// concurrent use.
/// </summary>
internal abstract class StreamHandler<TService, TRequest, TItem, TResponse, TMethod>(ServiceSource<TService> services, HandlerEnvironment environment)
    : InboundMethod
    where TService : class
    where TMethod : struct, IStreamMessages<TRequest, TItem, TResponse>
{
    private readonly MuxDispatchMode _dispatch = TMethod.Descriptor.Choices.DispatchOr(environment.Dispatch);

    public override MethodDescriptor Descriptor => TMethod.Descriptor;

    public override MethodShape Streams => TMethod.Descriptor.Shape;

    protected HandlerFailures<TMethod> Failures { get; } = new(environment);

    public override IInboundItems OpenItems(in InboundCall call) =>
        new RequestReader<TItem, RequestItems<TRequest, TItem, TResponse, TMethod>>(environment.Logger, _dispatch, call).Items;

    public override void Invoke(in InboundCall call, ReadOnlySpan<byte> body)
    {
        var measured = call with { MeasuredFrom = environment.Durations.Start() };
        TRequest request;
        try
        {
            request = TMethod.DecodeRequest(body);
        }
        catch (Exception error)
        {
            Failures.FailUndecodable(measured, error);
            return;
        }

        var run = new Run(this, measured with { InTurn = false }, request);
        if (_dispatch == MuxDispatchMode.Inline && call.InTurn && !MonitorSignals.IsShortOfLeaders) RunInTurn(run);
        else if (_dispatch == MuxDispatchMode.Pool) ThreadPool.UnsafeQueueUserWorkItem(run, preferLocal: false);
        else if (!ProcessWorkers.Handlers.TryAdd(run, body.Length)) Failures.FailOverloaded(measured with { InTurn = false });
    }

    public override void Refuse(in InboundCall call) => Failures.FailOverloaded(call);

    /// <summary>Calls the service and answers the call, unless the service throws.</summary>
    /// <param name="service">The service instance.</param>
    /// <param name="call">A call that is in no turn.</param>
    /// <param name="stream">Its streams, which the end of the connection may end at any moment.</param>
    /// <param name="request">The decoded request.</param>
    /// <param name="options">The options that the handler sees, if its contract asks for them.</param>
    /// <param name="cancellationToken">Fires when the call is over.</param>
    protected abstract Task AnswerAsync(
        TService service, InboundCall call, AcceptedStream stream, TRequest request, MuxCallOptions? options, CancellationToken cancellationToken);

    /// <summary>Gets the request stream for the service; empty if there is none.</summary>
    protected static IAsyncEnumerable<TItem> ItemsOf(AcceptedStream stream) => stream.Items as IAsyncEnumerable<TItem> ?? AsyncEnumerable.Empty<TItem>();

    private static void RunInTurn(Run run)
    {
        var turn = Turn.Current;
        turn?.EnterUser(null);
        run.Execute();
        turn?.TryLeaveUser();
    }

    private async Task RunAsync(InboundCall call, TRequest request)
    {
        if (call.TryFailAbandoned()) return;
        ServiceLease<TService> lease;
        try
        {
            lease = services.Open();
        }
        catch (Exception error)
        {
            Failures.FailWithoutService(call, error);
            return;
        }

        if (call.Stream is not { } stream)
        {
            // The grace of the connection has ended: a handler must not mistake missing items for the end of its stream. The failure is not sent, only counted.
            Failures.Fail(call, MuxStatus.Cancelled, MuxExecution.NotExecuted, "The connection ended before the handler started.");
            ServiceScope.End(lease, environment.Logger, TMethod.Descriptor.FullName);
            return;
        }

        var cancellation = call.OpenCancellation();
        var token = cancellation.Token;
        var ending = token.UnsafeRegister(static state => ((AcceptedStream)state!).Abort(), stream);
        MuxCallOptions? options = TMethod.Descriptor.TakesOptions ? ReceivedOptions.Of(call) : null;
        call = call.WithOptions(options);
        if (Tracing.IsListenedTo && Tracing.StartHandler(TMethod.Descriptor, call.Extras?.Trace, call.Session.RemoteAddress) is { } activity)
        {
            call = call.WithActivity(activity);
        }

        if (AmbientDeadline.IsUsed) AmbientDeadline.Set(call.Due, call.Session.Clock);
        try
        {
            await AnswerAsync(lease.Service, call, stream, request, options, token).ConfigureAwait(false);
        }
        catch (Exception error)
        {
            Failures.Fail(call, error, token);
        }

        await ending.DisposeAsync().ConfigureAwait(false);
        stream.Abort(); // also ends code that still reads the request stream
        cancellation.Release();
        ServiceScope.End(lease, environment.Logger, TMethod.Descriptor.FullName);
    }

    private sealed class Run(StreamHandler<TService, TRequest, TItem, TResponse, TMethod> handler, InboundCall call, TRequest request) : IWork
    {
        string IWork.Name => TMethod.Descriptor.FullName;

        IWorkOwner IWork.Owner => call.Session.WorkOwner;

        IWorkClock? IWork.Clock => call.WorkClock;

        bool IWork.IsAbandoned(long now) => call.IsAbandonedAt(now);

        public void Execute() => _ = handler.RunAsync(call, request);

        public void Refuse() => handler.Refuse(call);
    }
}
