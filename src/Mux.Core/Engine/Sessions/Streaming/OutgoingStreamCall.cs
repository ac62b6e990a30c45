using Mux.Protocol;

namespace Mux.Engine;

/// <summary>A call of this side that streams in at least one direction. Not reused: a frame of the peer may find it a moment after it was cancelled.</summary>
internal abstract class OutgoingStreamCall : OutgoingCall
{
    private MuxMetadata? _ahead; // what came ahead of the response stream; owned by the turn

    /// <summary>Sends the request stream; set when the request is appended, if there is one.</summary>
    public OutboundStream? Requests { get; set; }

    /// <summary>Credit of the response stream; set when the request is appended, if there is one.</summary>
    public InboundWindow? Window { get; set; }

    /// <summary>Windows that it takes at the peer. Guarded by the lock of its connection.</summary>
    public int WindowsAtPeer { get; set; }

    /// <summary>Receives the response stream; null if there is none.</summary>
    public abstract IInboundItems? Items { get; }

    public bool HasRequestStream => (Method.Shape & Contracts.MethodShape.RequestStream) != 0;

    public bool HasResponseStream => (Method.Shape & Contracts.MethodShape.ResponseStream) != 0;

    /// <summary>
    /// True if the first window of its response stream counts in <see cref="StreamBudget"/> of its connection. Otherwise it counts where the call comes from.
    /// What a window grows by always counts here.
    /// </summary>
    public virtual bool ReservesWindow => true;

    /// <summary>
    /// Handles the metadata ahead of the response stream. In the turn; another thread may end the call meanwhile, whose caller then sees it or not.
    /// </summary>
    /// <param name="block">A checked block, valid only during this method.</param>
    public virtual void OnMetadataAhead(ReadOnlySpan<byte> block)
    {
        if (Extras?.ResponseMetadata is not { } sink) return;
        _ahead = MetadataBlock.Decode(block);
        base.Deliver(_ahead, sink);
    }

    /// <summary>Ends both streams and drops queued items: the call is over. Under the connection's lock.</summary>
    public void EndStreams()
    {
        Requests?.EndLocked(drops: true);
        Window?.EndLocked();
    }

    /// <inheritdoc/>
    public override void BeginAgain(long now, bool wasSent)
    {
        base.BeginAgain(now, wasSent);
        Requests = null;
        Window = null;
        _ahead = null;
    }

    /// <summary>Creates the streams. The request is being appended, and the call has its id.</summary>
    public void OpenStreamsLocked(Session session, MuxCallPriority priority)
    {
        session.AssertLocked();
        if (HasRequestStream) Flow = Requests = new OutboundStream(session, Id, FrameKind.RequestItem, session.Peer.StreamCredit, priority);
        Flow ??= new OutboundFlow(priority); // tells a terminal frame that there is something to end
        if (!HasResponseStream) return;
        Window = new InboundWindow(session, Id, FrameKind.ResponseCredit, session.Options.Local.StreamCredit, ReservesWindow);
        Items!.Begin(Window);
    }

    /// <summary>
    /// Replaces what came ahead by what the handler has changed since: the end of the call brings all values of such keys. Entries of others stay, which may
    /// share the sink.
    /// </summary>
    protected override void Deliver(MuxMetadata metadata, MuxMetadata sink)
    {
        MuxMetadata old = [];
        foreach (var entry in _ahead ?? [])
        {
            if (metadata.TryGet(entry.Key, out _)) old.Add(entry.Key, entry.Bytes);
        }

        if (old.Count > 0) sink.Replace(old, metadata);
        else base.Deliver(metadata, sink);
    }

    /// <summary>Fails the call because of what came for it. In the turn.</summary>
    protected void GiveUp(CallFailure failure) => Holder?.TryGiveUp(Id, failure);
}
