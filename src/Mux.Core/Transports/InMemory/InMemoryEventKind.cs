namespace Mux.Transports.InMemory;

/// <summary>What the pump does with a link.</summary>
internal enum InMemoryEventKind
{
    /// <summary>Hand it to the listener's callback.</summary>
    Accept,

    /// <summary>Connect it, where it is a dialed one, and call <see cref="ILinkHandler.OnConnected"/>.</summary>
    Open,

    /// <summary>Deliver what its inbound pipe holds.</summary>
    Deliver,

    /// <summary>Call <see cref="ILinkHandler.OnWritable"/>.</summary>
    Writable,

    /// <summary>Call <see cref="ILinkHandler.OnClosed"/>.</summary>
    Closed,
}
