using Mux.Engine;

namespace Mux.Client;

/// <summary>
/// Ends the places of one-way calls in their order, when the peer has answered them or their connection has ended. One for each bucket and method, so that no
/// call needs an object of its own. Safe for concurrent use.
/// </summary>
internal sealed class OrderedReceipt : OneWayReply
{
    private readonly OrderedCalls _calls;
    private readonly int _index;
    private readonly OneWayReply? _own;

    /// <param name="calls">The order.</param>
    /// <param name="index">The bucket.</param>
    /// <param name="first">The first call that has this receipt. It passes everything on to the receipt that the call had before.</param>
    public OrderedReceipt(OrderedCalls calls, int index, OutgoingCall first)
    {
        (_calls, _index, _own) = (calls, index, first.Receipt as OneWayReply);
        Method = first.Method;
    }

    /// <summary>The receipt of another method of the bucket. Guarded by the lock of the bucket.</summary>
    public OrderedReceipt? NextOfBucket { get; set; }

    public override bool IsTold => true;

    public override void OnResponse(ReadOnlySpan<byte> body, CallTally tally)
    {
        _calls.Leave(_index);
        _own?.OnResponse(body, tally);
    }

    public override void OnFailed(CallFailure failure, bool inTurn)
    {
        _calls.Leave(_index);
        _own?.OnFailed(failure, inTurn);
    }
}
