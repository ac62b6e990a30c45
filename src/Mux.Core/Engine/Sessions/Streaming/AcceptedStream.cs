namespace Mux.Engine;

/// <summary>The streams of one call of the peer. Created with its REQUEST, before any other frame of the call; listed until the call is answered.</summary>
/// <param name="items">Receives the request stream; null if there is none.</param>
/// <param name="window">Credit of the request stream.</param>
/// <param name="responses">Sends the response stream; null if there is none.</param>
/// <param name="maxItem">Most bytes of an item that is accepted.</param>
internal sealed class AcceptedStream(IInboundItems? items, InboundWindow? window, OutboundStream? responses, int maxItem)
{
    public IInboundItems? Items => items;

    public InboundWindow? Window => window;

    public OutboundStream? Responses => responses;

    public int MaxItem => maxItem;

    /// <summary>True if an item was refused, and the request stream with it: the rest of it is ignored, except its end. Owned by the turn.</summary>
    public bool IsRefused { get; set; }

    /// <summary>True if REQUEST_END came. Owned by the turn.</summary>
    public bool IsEnded { get; set; }

    /// <summary>Ends both streams: the call is cancelled, or its handler has returned. Any thread.</summary>
    public void Abort()
    {
        items?.Abort();
        responses?.Abort();
    }

    /// <summary>Ends both streams because the call is answered. Under the connection's lock.</summary>
    /// <param name="drops">True if queued items of the response stream are not sent.</param>
    public void Close(bool drops)
    {
        window?.EndLocked();
        responses?.EndLocked(drops);
    }
}
