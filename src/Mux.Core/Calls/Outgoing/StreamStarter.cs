using Mux.Callbacks;
using Mux.Contracts;
using Mux.Engine;
using Mux.Runtime;
using Mux.Serialization;

namespace Mux.Calls;

/// <summary>Makes calls of one method that streams, on one channel. Safe for concurrent use.</summary>
internal sealed class StreamStarter<TRequest, TItem, TResponse>(
    StreamMethod<TRequest, TItem, TResponse> method, CallRoute route, object? owner = null)
    : StreamCaller<TRequest, TItem, TResponse>
{
    private readonly RequestKey<TRequest>? _keyOf = route.UsesKeys ? method.KeyOf : null;
    private readonly KeepFor _keeps = route.PolicyOf(method.Descriptor) is { IsOn: true } ? KeepFor.Repeats : KeepFor.Nothing;

    public StreamMethod<TRequest, TItem, TResponse> Method => method;

    public CallRoute Route => route;

    /// <summary>Kept for as long as calls can be made: see <see cref="RouteInvoker"/>.</summary>
    public object? Owner { get; } = owner;

    // A call with callbacks is one call for its user, though its messages are streams.
    private readonly long _deadline = method.Items is CallbackAnswerCodec && method.Descriptor.Choices.Timeout is null
        ? route.Deadline : OutgoingOptions.DeadlineOf(method.Descriptor, route);

    /// <summary>Where the code that waits for items runs.</summary>
    public MuxDispatchMode Dispatch { get; } = method.Descriptor.Choices.DispatchOr(route.Dispatch);

    public ItemsOf<TResponse> ResponseItems { get; } = new(method.Descriptor, method.Responses);

    public override string Endpoint => route.EndpointOf(null);

    public override void OnCallbackFailed(string callback, Exception error) => route.OnCallbackFailed(method.Descriptor, callback, error);

    public override ValueTask<TResponse> CallAsync(
        TRequest request, IAsyncEnumerable<TItem> items, MuxCallOptions? options, CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested) return ValueTask.FromCanceled<TResponse>(cancellationToken);
        RequestStreamCall<TRequest, TItem, TResponse> call;
        try
        {
            ThrowWithoutItems(items);
            call = new(this, items);
            Start(call, request, options);
        }
        catch (Exception error)
        {
            return ValueTask.FromException<TResponse>(error);
        }

        call.CancelWith(cancellationToken);
        return new ValueTask<TResponse>(call.Response);
    }

    public override IAsyncEnumerable<TResponse> Call(
        TRequest request, IAsyncEnumerable<TItem>? items, MuxCallOptions? options, CancellationToken cancellationToken) =>
        new Stream(this, request, items, options, cancellationToken);

    private IAsyncEnumerator<TResponse> Enumerate(
        TRequest request, IAsyncEnumerable<TItem>? items, MuxCallOptions? options, CancellationToken first, CancellationToken second)
    {
        first.ThrowIfCancellationRequested();
        second.ThrowIfCancellationRequested();
        ThrowWithoutItems(items);
        var call = new ResponseStreamCall<TRequest, TItem, TResponse>(this, items);
        Start(call, request, options);
        call.CancelWith(first, second);
        return call.Reader.Hold();
    }

    /// <summary>Fails a call that was made without its request stream, or without a callback.</summary>
    private void ThrowWithoutItems(IAsyncEnumerable<TItem>? items)
    {
        if (items is not null || (method.Descriptor.Shape & MethodShape.RequestStream) == 0) return;
        var text = method.Items is CallbackAnswerCodec ? "a callback is null" : "the request stream is null";
        throw new MuxException(OutgoingFailure.CountUnencodable(route, method, new ArgumentNullException(nameof(items), text)));
    }

    /// <summary>Encodes the request and starts the call.</summary>
    /// <exception cref="MuxException">The request could not be encoded. Nothing was sent.</exception>
    private void Start(StreamCall<TRequest, TItem, TResponse> call, TRequest request, MuxCallOptions? options)
    {
        options = OutgoingOptions.InForce(options);
        var buffer = MessageBuffer.Rent();
        try
        {
            var writer = buffer.CreateWriter();
            try
            {
                method.Requests.Encode(ref writer, request);
                if (_keyOf is not null && options?.Key is null) call.Key = _keyOf(in request);
            }
            catch (Exception thrown)
            {
                throw new MuxException(OutgoingFailure.CountUnencodable(route, method, thrown));
            }

            OutgoingOptions.Apply(call, route, _deadline, options);
            var keeps = OutgoingOptions.KeepLarge(OutgoingOptions.Keep(_keeps, options), route, writer.Written.Length, options);
            if (keeps == KeepFor.Nothing) route.StartEncoded(call, buffer, writer.Written);
            else route.StartKept(call, keeps, buffer, writer.Written);
        }
        finally
        {
            buffer.Return();
        }
    }

    /// <summary>A call that is made when it is enumerated.</summary>
    private sealed class Stream(
        StreamStarter<TRequest, TItem, TResponse> starter,
        TRequest request,
        IAsyncEnumerable<TItem>? items,
        MuxCallOptions? options,
        CancellationToken cancellationToken) : IAsyncEnumerable<TResponse>
    {
        public IAsyncEnumerator<TResponse> GetAsyncEnumerator(CancellationToken enumerationToken = default) =>
            starter.Enumerate(request, items, options, cancellationToken, enumerationToken);
    }
}

/// <summary>A call with a request stream and one response.</summary>
internal sealed class RequestStreamCall<TRequest, TItem, TResponse>(StreamStarter<TRequest, TItem, TResponse> starter, IAsyncEnumerable<TItem> items)
    : StreamCall<TRequest, TItem, TResponse>(starter, items)
{
    private readonly TaskCompletionSource<TResponse> _response = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public Task<TResponse> Response => _response.Task;

    public override IInboundItems? Items => null;

    public override void OnResponse(ReadOnlySpan<byte> body, CallTally tally)
    {
        TResponse response;
        try
        {
            response = Responses.Decode(body);
        }
        catch (Exception error)
        {
            var failure = UndecodableMessage.Reply(this, error);
            tally.Add(Method, failure.Status);
            OnFailed(failure, inTurn: true);
            return;
        }

        tally.Add(Method, MuxStatus.Ok);
        OnOver(MuxStatus.Ok, inTurn: true);
        _response.TrySetResult(response);
    }

    public override void OnFailed(CallFailure failure, bool inTurn)
    {
        if (TryRepeat(ref failure)) return;
        OnOver(failure.Status, inTurn);
        var error = ErrorOf(failure);
        if (error is OperationCanceledException { CancellationToken: { IsCancellationRequested: true } token }) _response.TrySetCanceled(token);
        else _response.TrySetException(error);
    }
}

/// <summary>A call with a response stream.</summary>
internal sealed class ResponseStreamCall<TRequest, TItem, TResponse> : StreamCall<TRequest, TItem, TResponse>, IItemConsumer
{
    public ResponseStreamCall(StreamStarter<TRequest, TItem, TResponse> starter, IAsyncEnumerable<TItem>? items)
        : base(starter, items) =>
        Reader = StreamReaders.Create(starter.ResponseItems, this, starter.Dispatch);

    public IStreamReader<TResponse> Reader { get; }

    public override IInboundItems? Items => Reader;

    public override void OnResponse(ReadOnlySpan<byte> body, CallTally tally)
    {
        tally.Add(Method, MuxStatus.Ok);
        if (IsObserved) Reader.Settle();
        bool inTurn = OnOver(MuxStatus.Ok, inTurn: true);
        Reader.End(null, inTurn ? Turn.Current : null, isTurns: inTurn, drops: false);
    }

    public override void OnFailed(CallFailure failure, bool inTurn)
    {
        if (TryRepeat(ref failure)) return;
        if (inTurn && IsObserved) Reader.Settle();
        inTurn = OnOver(failure.Status, inTurn);
        // Late by this side's clock: items that wait are dropped, because handing them out first may take long.
        bool isLate = failure is { Status: MuxStatus.DeadlineExceeded, Phase: MuxCallPhase.Wait };
        Reader.End(ErrorOf(failure), inTurn ? Turn.Current : null, isTurns: inTurn, drops: failure.IsCallerCancel || isLate);
    }

    IWorkOwner IItemConsumer.WorkOwner => Route;

    bool IItemConsumer.OnEnumerated(CancellationToken cancellationToken) => true; // the call was started with this token

    void IItemConsumer.OnDisposed() => CallHolder.Cancel(this); // no effect if the call is over

    void IItemConsumer.OnUndecodable(Exception error) => GiveUp(UndecodableMessage.ReplyItem(this, error));

    void IItemConsumer.OnUserCodeFailed(Exception error) => Route.OnUserCodeFailed(error);
}

/// <summary>Creates the reader for the items of a stream.</summary>
internal static class StreamReaders
{
    public static IStreamReader<T> Create<T>(ItemsOf<T> items, IItemConsumer owner, MuxDispatchMode dispatch) =>
        typeof(T) == typeof(ByteChunk) ? (IStreamReader<T>)(object)new ByteReader(owner) : new ItemReader<T>(items, owner, dispatch);
}
