using Mux.Lanes;
using Mux.Sessions.Calls;
using Mux.Wire;

namespace Mux.Sessions.Streaming;

/// <summary>
/// A call this side makes that streams in at least one direction. Not reused: a frame of the peer may find it a moment after it was given up.
/// </summary>
internal abstract class OutgoingStreamCall : OutgoingCall
{
    /// <summary>Sends the request stream; set when the request is appended, if there is one.</summary>
    public OutboundStream? Requests { get; set; }

    /// <summary>The credit of the response stream; set when the request is appended, if there is one.</summary>
    public InboundWindow? Window { get; set; }

    /// <summary>Takes the response stream; null if there is none.</summary>
    public abstract IInboundItems? Items { get; }

    public bool HasRequestStream => (Method.Shape & Contracts.MethodShape.RequestStream) != 0;

    public bool HasResponseStream => (Method.Shape & Contracts.MethodShape.ResponseStream) != 0;

    /// <summary>The call is over; or it is given up, and what is queued of it is not sent.</summary>
    public void EndStreamsLocked()
    {
        Requests?.EndLocked(drops: true);
        Window?.EndLocked();
    }

    /// <summary>Makes what the streams need. The request is being appended, with its id.</summary>
    public void OpenStreamsLocked(Session session, MuxCallPriority priority)
    {
        if (HasRequestStream) Flow = Requests = new OutboundStream(session, Id, FrameKind.RequestItem, session.Peer.StreamCredit, priority);
        Flow ??= new OutboundFlow(priority); // by which a terminal frame finds that there is something to end
        if (!HasResponseStream) return;
        Window = new InboundWindow(session, Id, FrameKind.ResponseCredit, session.Options.Local.StreamCredit);
        Items!.Begin(Window);
    }

    /// <summary>Gives the call up because of what came for it. In the turn.</summary>
    protected void GiveUp(CallFailure failure) => Holder?.TryGiveUp(Id, failure);
}
