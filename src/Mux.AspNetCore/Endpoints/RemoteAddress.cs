using System.Net;

namespace Mux.AspNetCore.Endpoints;

/// <summary>The address of a client, for logs.</summary>
internal static class RemoteAddress
{
    /// <summary>As text; an IPv4 address that came through a socket for both families is written as such, and no address is empty.</summary>
    public static string Of(EndPoint? endPoint) => endPoint switch
    {
        IPEndPoint { Address.IsIPv4MappedToIPv6: true } mapped => new IPEndPoint(mapped.Address.MapToIPv4(), mapped.Port).ToString(),
        _ => endPoint?.ToString() ?? string.Empty,
    };
}
