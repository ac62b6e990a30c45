using Mux.Engine;
using Mux.Runtime;

namespace Mux.Calls;

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
