namespace Mux.TestSupport.EndToEnd;

/// <summary>What carries the bytes of an end-to-end test.</summary>
public enum TransportKind
{
    /// <summary>The network inside the process.</summary>
    InMemory,

    /// <summary>TCP over loopback, on a free port, by the portable engine.</summary>
    Tcp,

    /// <summary>A Unix domain socket in the temporary folder, by the portable engine.</summary>
    Unix,

    /// <summary>TCP over loopback, on a free port, by the event loops that the process shares. Linux only.</summary>
    Epoll,

    /// <summary>TCP over loopback, on a free port, by links over network streams.</summary>
    Streams,

    /// <summary>TLS over loopback, on a free port.</summary>
    Tls,

    /// <summary>WebSockets over loopback, on a free port.</summary>
    WebSocket,

    /// <summary>TCP over loopback, on a free port; the server's end are the pipes of Kestrel's sockets.</summary>
    Kestrel,
}
