using Mux.Transports;

namespace Mux.Runtime;

/// <summary>Events that the pump runs for a link.</summary>
internal enum InMemoryEventKind
{
    /// <summary>Hand the link to the listener's callback.</summary>
    Accept,

    /// <summary>Connect the link if it is a dialed one, and call <see cref="ILinkHandler.OnConnected"/>.</summary>
    Open,

    /// <summary>Deliver the bytes of its inbound pipe.</summary>
    Deliver,

    /// <summary>Call <see cref="ILinkHandler.OnWritable"/>.</summary>
    Writable,

    /// <summary>Call <see cref="ILinkHandler.OnClosed"/>.</summary>
    Closed,
}
