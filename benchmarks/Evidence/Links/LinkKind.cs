namespace Evidence.Links;

/// <summary>What carries the bytes of a server of this program, and of its client.</summary>
internal enum LinkKind
{
    /// <summary>The engine of sockets that runs everywhere.</summary>
    Portable,

    /// <summary>Streams of the runtime's sockets.</summary>
    Streams,

    /// <summary>An endpoint of Kestrel, dialed as streams.</summary>
    Kestrel,

    /// <summary>A WebSocket behind Kestrel.</summary>
    WebSocket,

    /// <summary>No Mux at all: TLS that gives back what it gets.</summary>
    BareTls,
}
