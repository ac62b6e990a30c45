using Mux.Lanes;
using Mux.Sessions.Calls;

namespace Mux.Sessions.Outgoing;

/// <summary>
/// Fills the slot of a one-way call. Its caller has the outcome since the request was appended, so the terminal frame is not reported.
/// </summary>
internal sealed class OneWayReply : OutgoingCall
{
    private OneWayReply()
    {
    }

    /// <summary>Creates the reply of a request that may still be partly unsent when its terminal frame comes.</summary>
    public OneWayReply(OutboundFlow flow) => Flow = flow;

    public static OneWayReply Instance { get; } = new();

    public override void OnResponse(ReadOnlySpan<byte> body, CallTally tally)
    {
    }

    public override void OnFailed(CallFailure failure, bool inTurn)
    {
    }

    public override void OnAppended()
    {
    }
}
