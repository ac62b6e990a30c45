using Microsoft.Extensions.Logging;

namespace Mux.AspNetCore.Endpoints;

/// <summary>Log messages of endpoints, in the category of the server. Their ids are 4xxx; those of the server itself are in Mux.Core.</summary>
internal static partial class EndpointLog
{
    [LoggerMessage(EventId = 4001, Message = "The connection from {RemoteAddress} to {Endpoint} is refused: it comes from another machine, without " +
        "encryption. To serve it, {Remedy}, or set AllowPlaintext of the server (Mux:Server:AllowPlaintext) to true in a network that you trust. Further " +
        "refusals are logged at level Debug.", EventName = "EndpointPlaintextRefused")]
    public static partial void PlaintextRefused(ILogger logger, LogLevel level, string remoteAddress, string endpoint, string remedy);

    [LoggerMessage(4002, LogLevel.Warning, "Other machines can reach the endpoint {Endpoint} without encryption: AllowPlaintext is set.",
        EventName = "EndpointServesPlaintext")]
    public static partial void ServesPlaintext(ILogger logger, string endpoint);

    [LoggerMessage(EventId = 4003, Message = "The connection from {RemoteAddress} to {Endpoint} is refused: its TLS agreed on {Protocol} instead of the " +
        "application protocol mux/1 (ALPN). Connect with a muxs address; if clients do, have the callback of UseHttps offer mux/1, or call UseMuxHttps. " +
        "Further refusals are logged at level Debug.", EventName = "EndpointProtocolRefused")]
    public static partial void ProtocolRefused(ILogger logger, LogLevel level, string remoteAddress, string endpoint, string protocol);
}
