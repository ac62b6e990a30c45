using System.Net;
using System.Net.Sockets;

namespace Mux.Runtime;

/// <summary>Converts addresses to endpoints, and endpoints to text.</summary>
internal static class SocketEndPoints
{
    // Systems resolve "localhost" differently, and some have one family only; RFC 6761 defines it as the loopback addresses.
    private static readonly IPAddress[] s_loopback = [IPAddress.Loopback, IPAddress.IPv6Loopback];

    /// <summary>Resolves an address to its endpoints, in the order to try them; at least one.</summary>
    /// <exception cref="SocketException">The name cannot be resolved.</exception>
    /// <exception cref="OperationCanceledException"><paramref name="cancellationToken"/> was cancelled.</exception>
    public static async ValueTask<EndPoint[]> ResolveAsync(MuxAddress address, CancellationToken cancellationToken)
    {
        return WithoutNameServer(address) ?? ToEndPoints(await NameLookup.RunAsync(address.Host, cancellationToken).InPlace(), address.Port);
    }

    /// <summary>Resolves the endpoint to listen at. Blocks while a host name is looked up.</summary>
    /// <exception cref="SocketException">The name cannot be resolved.</exception>
    public static EndPoint ResolveLocal(MuxAddress address)
    {
        return (WithoutNameServer(address) ?? ToEndPoints(Dns.GetHostAddresses(address.Host), address.Port))[0];
    }

    /// <summary>True if the host is <c>localhost</c> or an address of this machine alone, such as 127.0.0.1. Looks up no name.</summary>
    public static bool IsLoopback(MuxAddress address) =>
        address.Host.Equals("localhost", StringComparison.OrdinalIgnoreCase) || (IPAddress.TryParse(address.Host, out var ip) && IPAddress.IsLoopback(ip));

    /// <summary>Describes the peer of a connected socket for logs. Empty if it has no name.</summary>
    public static string DescribeRemote(Socket socket)
    {
        try
        {
            return socket.RemoteEndPoint switch
            {
                IPEndPoint { Address.IsIPv4MappedToIPv6: true } mapped => new IPEndPoint(mapped.Address.MapToIPv4(), mapped.Port).ToString(),
                { } endPoint => endPoint.ToString() ?? string.Empty,
                null => string.Empty,
            };
        }
        catch (SocketException) // already closed: the first receive will report it
        {
            return string.Empty;
        }
        catch (ObjectDisposedException)
        {
            return string.Empty;
        }
    }

    private static EndPoint[]? WithoutNameServer(MuxAddress address)
    {
        if (address.Scheme == MuxAddress.UnixScheme) return [new UnixDomainSocketEndPoint(address.Path)];
        if (IPAddress.TryParse(address.Host, out var ip)) return [new IPEndPoint(ip, address.Port)];
        return address.Host.Equals("localhost", StringComparison.OrdinalIgnoreCase) ? ToEndPoints(s_loopback, address.Port) : null;
    }

    private static EndPoint[] ToEndPoints(IPAddress[] addresses, int port)
    {
        if (addresses.Length == 0) throw new SocketException((int)SocketError.HostNotFound);
        return Array.ConvertAll(addresses, EndPoint (ip) => new IPEndPoint(ip, port));
    }
}
