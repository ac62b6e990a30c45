using System.Net;
using Mux.Filters;

namespace Mux.RateLimiting;

/// <summary>Names the caller of a call, to count its calls.</summary>
public static class MuxCallerKey
{
    private const string User = "user ";
    private const string Address = "address ";

    /// <summary>
    /// Gets the key of a caller: <c>user ann</c> if it is authenticated and has a name, otherwise <c>address 10.0.0.7</c>, without the port, which each
    /// connection has another. Addresses of IPv6 count by their first 64 bits, of which one machine may have all others.
    /// </summary>
    /// <remarks>Callers behind one gateway or NAT share an address: authenticate them to tell them apart.</remarks>
    /// <exception cref="ArgumentNullException"><paramref name="call"/> is null.</exception>
    public static string Of(MuxCall call)
    {
        ArgumentNullException.ThrowIfNull(call);
        if (call.User?.Identity is { IsAuthenticated: true, Name: { Length: > 0 } name }) return User + name;
        if (!IPEndPoint.TryParse(Bare(call.Peer), out var endpoint)) return Address + call.Peer;
        var address = endpoint.Address.IsIPv4MappedToIPv6 ? endpoint.Address.MapToIPv4() : endpoint.Address;
        return Address + (address.AddressFamily == System.Net.Sockets.AddressFamily.InterNetworkV6 ? NetworkOf(address) : address.ToString());
    }

    /// <summary>The address without a scheme.</summary>
    private static string Bare(string peer)
    {
        int at = peer.IndexOf("://", StringComparison.Ordinal);
        return at < 0 ? peer : peer[(at + 3)..];
    }

    private static string NetworkOf(IPAddress address)
    {
        const int NetworkBytes = 8;
        byte[] bytes = address.GetAddressBytes();
        bytes.AsSpan(NetworkBytes).Clear();
        return $"{new IPAddress(bytes)}/64";
    }
}
