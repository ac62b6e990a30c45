using Mux.Lanes;
using Mux.Sessions.Calls;

namespace Mux.Sessions.Outgoing;

/// <summary>Stands in the slot of a one-way call, whose caller was told when the request was appended: takes the terminal frame and tells nobody.</summary>
internal sealed class OneWayReply : OutgoingCall
{
    private OneWayReply()
    {
    }

    /// <summary>For a request of which much is still to be sent when its terminal frame may come.</summary>
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
