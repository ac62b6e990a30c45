namespace Mux.AspNetCore.WebSockets;

/// <summary>Options of a WebSocket endpoint: the pages that may connect. Read once, when the endpoint is mapped.</summary>
public sealed class MuxWebSocketOptions
{
    /// <summary>
    /// Gets the origins whose pages may connect from a browser, in addition to the endpoint's own origin. A browser sends a user's cookies with the requests of
    /// any page, so an endpoint that trusts cookies must restrict the pages. Clients that send no Origin are not browsers and are not checked.
    /// </summary>
    /// <value>Origins such as <c>https://app.example.com</c>: scheme, host, and the port unless it is the scheme's default. Empty by default.</value>
    public IList<string> AllowedOrigins { get; } = [];
}
