using System.Net;

namespace Mux.Transports.Sockets;

/// <summary>What a peer's address says of who it is, for counting.</summary>
internal static class PeerHost
{
    private const int NetworkLength = 8; // of an IPv6 address: whoever has one has all of its network

    /// <summary>
    /// The part of an address that a peer cannot choose for each connection: without the port, of IPv6 the first 64 bits. Empty where there is none, as with
    /// pipes.
    /// </summary>
    public static string Of(string remoteAddress)
    {
        if (!IPEndPoint.TryParse(remoteAddress, out var endPoint)) return remoteAddress[..Math.Max(0, remoteAddress.LastIndexOf(':'))];
        var address = endPoint.Address.IsIPv4MappedToIPv6 ? endPoint.Address.MapToIPv4() : endPoint.Address;
        var bytes = address.GetAddressBytes();
        return bytes.Length > NetworkLength ? Convert.ToHexString(bytes, 0, NetworkLength) : address.ToString();
    }

    /// <summary>Whether the peer is on this machine: a proxy, or one of many processes, and no address that somebody has.</summary>
    public static bool IsLocal(string remoteAddress) => !IPEndPoint.TryParse(remoteAddress, out var endPoint) || IPAddress.IsLoopback(endPoint.Address);
}
