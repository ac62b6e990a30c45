namespace Mux.Spec.Servers;

/// <summary>Where a server gets its connections from.</summary>
public enum ServerKind
{
    Memory,
    Portable,
    Unix,
    Epoll,
    Streams,
    Tls,

    /// <summary>An endpoint of Kestrel, <c>UseMux</c>.</summary>
    Kestrel,

    /// <summary>A path of an application, <c>MapMuxWebSocket</c>.</summary>
    WebSocket,
}
