namespace Mux.AspNetCore.WebSockets;

/// <summary>Who may open WebSockets at an endpoint. Read once, when it is mapped.</summary>
public sealed class MuxWebSocketOptions
{
    /// <summary>
    /// Origins, beside the endpoint's own, whose pages may connect from a browser. A browser sends a user's cookies along whatever page asks, so an endpoint
    /// that trusts cookies must know its pages. Clients that send no Origin are no browsers and are not concerned.
    /// </summary>
    /// <value>Such as <c>https://app.example.com</c>: scheme, host, and the port unless it is the scheme's. Empty by default.</value>
    public IList<string> AllowedOrigins { get; } = [];
}
