using System.Net;

namespace Mux.AspNetCore.Endpoints;

/// <summary>Formats the address of a client for logs.</summary>
internal static class RemoteAddress
{
    /// <summary>Gets the text. An IPv4 address that came through a dual-mode socket is written as IPv4; no address gives an empty text.</summary>
    public static string Of(EndPoint? endPoint) => endPoint switch
    {
        IPEndPoint { Address.IsIPv4MappedToIPv6: true } mapped => new IPEndPoint(mapped.Address.MapToIPv4(), mapped.Port).ToString(),
        _ => endPoint?.ToString() ?? string.Empty,
    };
}
