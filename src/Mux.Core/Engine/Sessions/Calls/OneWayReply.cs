using Mux.Protocol;

namespace Mux.Engine;

/// <summary>
/// Fills the slot of a one-way call. Its caller has the outcome since the request was appended, so the terminal frame goes to the receipt of the call, if there
/// is one: a derived class that many calls share (<see cref="OutgoingCall.Receipt"/>).
/// </summary>
internal class OneWayReply : OutgoingCall
{
    private readonly OneWayReply? _receipt;

    protected OneWayReply()
    {
    }

    private OneWayReply(OutboundFlow flow, OneWayReply? receipt) => (Flow, _receipt) = (flow, receipt);

    public static OneWayReply Instance { get; } = new();

    /// <summary>Gets what fills the slot of a one-way call.</summary>
    /// <param name="call">The call.</param>
    /// <param name="flow">Of a request that may still be partly unsent when its terminal frame comes; null for one that is appended whole.</param>
    public static OneWayReply Of(OutgoingCall call, OutboundFlow? flow = null)
    {
        var receipt = call.Receipt as OneWayReply;
        return flow is null ? receipt ?? Instance : new OneWayReply(flow, receipt);
    }

    /// <summary>True if it is also told of calls that have no terminal frame, because the connection has ended.</summary>
    public virtual bool IsTold => _receipt is not null;

    public override void OnResponse(ReadOnlySpan<byte> body, CallTally tally) => _receipt?.OnResponse(body, tally);

    public override void OnFailed(CallFailure failure, bool inTurn) => _receipt?.OnFailed(failure, inTurn);

    public override void OnAppended()
    {
    }
}
