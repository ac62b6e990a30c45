using Mux.Channels;
using Mux.Connections;
using Mux.Execution;

namespace Mux.Contracts;

/// <summary>One call that answers with a stream.</summary>
internal sealed class ResponseStreamCall<TService, TRequest, TItem, TResponse, TMethod> : StreamCall<TService, TRequest, TItem, TResponse, TMethod>, IItemConsumer
    where TService : class
    where TMethod : struct, IResponseStreamMethod<TService, TRequest, TItem, TResponse>
{
    public ResponseStreamCall(ConnectionPool pool, MuxDispatch dispatch, IAsyncEnumerable<TItem>? items)
        : base(pool, items) =>
        Reader = StreamReaders<TResponse, ResponseItems<TService, TRequest, TItem, TResponse, TMethod>>.Create(this, dispatch);

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
        if (inTurn && IsObserved) Reader.Settle();
        inTurn = OnOver(failure.Status, inTurn);
        bool isLate = failure is { Status: MuxStatus.DeadlineExceeded, Phase: MuxPhase.Wait }; // by this side's clock: what waits is not given out first, which may take long
        Reader.End(ErrorOf(failure), inTurn ? Turn.Current : null, isTurns: inTurn, drops: failure.IsCallerCancel || isLate);
    }

    IWorkOwner IItemConsumer.WorkOwner => Pool;

    bool IItemConsumer.OnEnumerated(CancellationToken cancellationToken) => true; // the call was started with it

    void IItemConsumer.OnDisposed() => Initiator.Cancel(this); // nothing, if the call is over

    void IItemConsumer.OnUndecodable(Exception error) => GiveUp(UndecodableMessage.ReplyItem(this, error));

    void IItemConsumer.OnUserCodeFailed(Exception error) => Pool.OnUserCodeFailed(error);
}
