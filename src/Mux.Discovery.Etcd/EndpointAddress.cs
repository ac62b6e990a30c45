using System.Net;

namespace Mux.Discovery.Etcd;

/// <summary>Addresses that are registered.</summary>
internal static class EndpointAddress
{
    /// <summary>Says why no client can use an address; null if nothing shows that. Loopback is allowed, for services of one machine.</summary>
    public static string? FindUnreachable(MuxAddress address) =>
        IPAddress.TryParse(address.Host, out var ip) && (ip.Equals(IPAddress.Any) || ip.Equals(IPAddress.IPv6Any))
            ? $"{address} cannot be registered: a server listens at {ip}, but no client can connect to it. Name the address at which clients reach the server."
            : null;
}
