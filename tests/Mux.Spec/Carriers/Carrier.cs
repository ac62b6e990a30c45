namespace Mux.Spec.Carriers;

/// <summary>What carries the bytes.</summary>
public enum Carrier
{
    Memory,
    Portable,
    Unix,
    Epoll,
    Streams,
    Tls,
    WebSocket,
}
