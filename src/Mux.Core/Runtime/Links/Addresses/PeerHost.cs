using System.Net;

namespace Mux.Runtime;

/// <summary>Derives the host of a peer from its address, to count connections per host.</summary>
internal static class PeerHost
{
    private const string InMemory = "memory:"; // as links in memory name their peers
    private const int NetworkLength = 8; // of an IPv6 address: a host can use every address of its /64 network

    /// <summary>
    /// Gets the part of an address that a peer cannot choose per connection: without the port, and the first 64 bits of an IPv6 address. Empty if there is
    /// none, as with pipes.
    /// </summary>
    public static string Of(string remoteAddress)
    {
        if (!IPEndPoint.TryParse(remoteAddress, out var endPoint)) return remoteAddress[..Math.Max(0, remoteAddress.LastIndexOf(':'))];
        var address = endPoint.Address.IsIPv4MappedToIPv6 ? endPoint.Address.MapToIPv4() : endPoint.Address;
        var bytes = address.GetAddressBytes();
        return bytes.Length > NetworkLength ? Convert.ToHexString(bytes, 0, NetworkLength) : address.ToString();
    }

    /// <summary>True if the peer is on this machine. Its address then identifies no host: it is a proxy, or one of many processes.</summary>
    public static bool IsLocal(string remoteAddress) => !IPEndPoint.TryParse(remoteAddress, out var endPoint) || IPAddress.IsLoopback(endPoint.Address);

    /// <summary>
    /// True if the peer is certainly on this machine: at loopback, in the memory of this process, or at a Unix domain socket or pipe, which name no address.
    /// Where <see cref="IsLocal"/> believes in a name, this does not: the code that accepted a connection may write anything.
    /// </summary>
    public static bool IsOfThisMachine(string remoteAddress)
    {
        if (remoteAddress.Length == 0 || remoteAddress.StartsWith(InMemory, StringComparison.Ordinal)) return true;
        return IPEndPoint.TryParse(remoteAddress, out var endPoint) && IPAddress.IsLoopback(endPoint.Address);
    }
}
