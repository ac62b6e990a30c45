using Mux.Transports;

namespace Mux.Runtime;

/// <summary>Names a peer in messages and logs.</summary>
internal static class PeerName
{
    /// <summary>
    /// Gets the address of the peer. Peers at Unix domain sockets and pipes have none: they are on this machine, and are named by the user that the system
    /// reports. Called while the link is open, because a closed one knows no user.
    /// </summary>
    public static string Of(Link link)
    {
        if (link.RemoteAddress is { Length: > 0 } address) return address;
        return link.Identity?.User.Identity?.Name is { Length: > 0 } user ? $"this machine ({user})" : "this machine";
    }
}
