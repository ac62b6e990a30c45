namespace Mux.Sessions.Streaming;

/// <summary>
/// The streams of one call that the peer made. Made with its REQUEST, before anything else of the call arrives; in place until it is answered.
/// </summary>
/// <param name="items">Takes the request stream; null if there is none.</param>
/// <param name="window">Its credit.</param>
/// <param name="responses">Sends the response stream; null if there is none.</param>
/// <param name="maxItem">Bytes of the largest item that is taken.</param>
internal sealed class AcceptedStream(IInboundItems? items, InboundWindow? window, OutboundStream? responses, int maxItem)
{
    public IInboundItems? Items => items;

    public InboundWindow? Window => window;

    public OutboundStream? Responses => responses;

    public int MaxItem => maxItem;

    /// <summary>An item was refused, and the request stream with it: what still comes of it is forgotten, but for its end. The turn's.</summary>
    public bool IsRefused { get; set; }

    /// <summary>REQUEST_END came. The turn's.</summary>
    public bool IsEnded { get; set; }

    /// <summary>The call is given up, or its handler has returned. Any thread.</summary>
    public void Abort()
    {
        items?.Abort();
        responses?.Abort();
    }

    /// <summary>The call is answered.</summary>
    /// <param name="drops">Whether what is queued of the response stream is not sent.</param>
    public void EndLocked(bool drops)
    {
        window?.EndLocked();
        responses?.EndLocked(drops);
    }
}
