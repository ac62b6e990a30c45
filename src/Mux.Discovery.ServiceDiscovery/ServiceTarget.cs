using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.ServiceDiscovery;

namespace Mux.Discovery.ServiceDiscovery;

/// <summary>The name in <c>mux+service://orders</c>. Immutable.</summary>
/// <param name="Text">The address of the channel.</param>
/// <param name="IsTls">True if the servers speak TLS.</param>
/// <param name="Port">The port of endpoints that have none.</param>
/// <param name="Query">What the providers are asked for.</param>
internal sealed record ServiceTarget(string Text, bool IsTls, int Port, ServiceEndpointQuery Query)
{
    private const string Scheme = "mux+service";
    private const string SecureScheme = "muxs+service";

    private static readonly SearchValues<char> s_separators = SearchValues.Create("/?#@, ");

    /// <summary>The scheme of endpoints whose transport alone is known; that of endpoints of Aspire without a scheme of their own.</summary>
    public const string TcpScheme = "tcp";

    /// <summary>The schemes of this package.</summary>
    public static readonly string[] Schemes = [Scheme, SecureScheme];

    /// <summary>The scheme of the addresses of the servers.</summary>
    public string ServerScheme => IsTls ? MuxAddress.TlsScheme : MuxAddress.TcpScheme;

    /// <summary>Parses an address. If it is not valid, <paramref name="error"/> says what is allowed.</summary>
    public static bool TryParse(string? text, [NotNullWhen(true)] out ServiceTarget? target, [NotNullWhen(false)] out string? error)
    {
        target = null;
        error = null;
        bool isTls = text?.StartsWith(SecureScheme, StringComparison.Ordinal) ?? false;
        var scheme = isTls ? MuxAddress.TlsScheme : MuxAddress.TcpScheme;
        var name = text?.Split("://", 2) is [Scheme or SecureScheme, var rest] ? rest.TrimEnd('/') : string.Empty;
        if (!name.AsSpan().ContainsAny(s_separators) && Uri.TryCreate($"{scheme}+{TcpScheme}://{name}", UriKind.Absolute, out var uri) && uri.Host.Length > 0
            && ServiceEndpointQuery.TryParse($"{scheme}+{TcpScheme}://{name}", out var query) && query.ServiceName.Length > 0)
        {
            target = new ServiceTarget(text!, isTls, uri.Port > 0 ? uri.Port : MuxAddress.DefaultPort, query);
            return true;
        }

        error = $"'{text}' is not a name of a service: expected {Scheme}://service or {SecureScheme}://service, such as {Scheme}://orders, or " +
            $"{Scheme}://_rpc.orders for its endpoint rpc; a port after it is that of endpoints without one.";
        return false;
    }
}
